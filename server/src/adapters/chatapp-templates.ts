import type { ChannelTemplate, TemplateRequest, TemplateSource } from '../channels/template-source.port.ts';
import { ServiceError } from '../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { signalAfter } from '../platform/signal-after.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { errorIn, faultOf } from './chatapp-errors.ts';

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const PAGES = 10;
const PER_PAGE = 100;
/** For all pages together. */
const DONE_WITHIN_MS = 20_000;
/** A place of a body, by number or by name. */
const PLACE = /\{\{\s*([\w-]+)\s*\}\}/g;

type Ask = (path: readonly string[], query: Record<string, string>) => Promise<JsonObject>;

const failure = (message: string) => new ServiceError('bad_gateway', message);

/** Templates of the WhatsApp Cloud API: GET {base_url}/{account_id}/message_templates. */
export class ChatappTemplates implements TemplateSource {
  readonly #fetch = boundedFetch(MAX_ANSWER_BYTES);
  readonly #doneWithinMs: number;

  constructor({ doneWithinMs = DONE_WITHIN_MS }: { doneWithinMs?: number } = {}) {
    this.#doneWithinMs = doneWithinMs;
  }

  async list(request: TemplateRequest): Promise<ChannelTemplate[]> {
    const { base_url, access_token, signal } = request;
    const timeout = signalAfter(this.#doneWithinMs);
    const ends = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const ask: Ask = async (path, query) => {
      const place = [base_url, ...path.map((part) => encodeURIComponent(part))].join('/');
      const url = `${place}?${new URLSearchParams(query).toString()}`;
      const headers = { authorization: `Bearer ${access_token}` };
      const response = await this.#fetch(url, { headers, signal: ends });
      return answerOf(response.status, await response.text());
    };
    try {
      return await templatesOf(ask, await accountOf(ask, request));
    } catch (error) {
      throw error instanceof ServiceError ? error : failure(`The channel did not answer: ${reasonOf(error)}`);
    }
  }
}

/**
 * A secret may be that of several accounts, so webhooks alone do not tell which one has the number. Where the channel does
 * not say it either, the likeliest one is asked, which refuses if it is wrong.
 */
async function accountOf(
  ask: Ask,
  { phone_number_id, account_ids }: Pick<TemplateRequest, 'phone_number_id' | 'account_ids'>,
): Promise<string> {
  const [latest, ...others] = account_ids;
  if (latest !== undefined && others.length === 0) return latest;
  const { health_status } = await ask([phone_number_id], { fields: 'health_status' }).catch(noAnswer);
  const entities = isJsonObject(health_status) ? listOf(health_status.entities) : [];
  const account = entities.find(({ entity_type }) => entity_type === 'WABA')?.id;
  return typeof account === 'string' ? account : (latest ?? phone_number_id);
}

function noAnswer(error: unknown): JsonObject {
  if (error instanceof ServiceError) return {};
  throw error;
}

async function templatesOf(ask: Ask, account_id: string): Promise<ChannelTemplate[]> {
  const templates: ChannelTemplate[] = [];
  let after: unknown = '';
  for (let page = 0; page < PAGES && typeof after === 'string'; page += 1) {
    const { data, paging } = await ask([account_id, 'message_templates'], {
      fields: 'name,language,status,components',
      limit: String(PER_PAGE),
      ...(after !== '' && { after }),
    });
    if (!Array.isArray(data)) throw failure('The channel’s answer is not understood');
    templates.push(...listOf(data).map(templateOf));
    const next = isJsonObject(paging) && paging.next !== undefined ? paging : {};
    after = isJsonObject(next.cursors) ? next.cursors.after : undefined;
  }
  return templates.slice(0, PAGES * PER_PAGE);
}

function templateOf({ name, language, status, components }: JsonObject): ChannelTemplate {
  const body = listOf(components).find(({ type }) => String(type).toUpperCase() === 'BODY');
  const text = typeof body?.text === 'string' ? body.text : null;
  const places = new Set([...(text ?? '').matchAll(PLACE)].map(([, place]) => place));
  return {
    name: textOf(name),
    language: textOf(language),
    status: textOf(status),
    text,
    parameters: places.size,
  };
}

function answerOf(status: number, text: string): JsonObject {
  const answer = parse(text);
  const error = errorIn(answer);
  if (status === 200 && answer && !error) return answer;
  if (faultOf(status, error) === 'credential') throw failure('The channel refused the access token');
  throw failure(`The channel answered ${status}`);
}

function parse(text: string): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Only a code or name: messages of the library may quote the token. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.name : 'unknown';
}
