import type { SendApi, SendRequest, SendResult, UploadRequest } from '../channels/send-api.port.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { signalAfter } from '../platform/signal-after.ts';
import { traceHeaders } from '../platform/tracing.ts';
import { withoutSecrets } from '../platform/without-secrets.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { type ChatappFault, errorIn, faultOf } from './chatapp-errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** The channel has a longer timeout of its own, and what it takes late would be sent again. */
const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;
/** Shorter texts such as "ok" occur in any reason. A PIN has four digits. */
const MIN_REDACTED_LENGTH = 4;
/** Where a message has what people wrote. */
const SAID: ReadonlySet<string> = new Set([
  'text',
  'body',
  'caption',
  'filename',
  'button',
  'id',
  'title',
  'description',
]);
/** Equal to the webhook's limit. */
const MAX_ID_LENGTH = 256;
/** Errors before anything was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const OUTCOMES: Readonly<Record<ChatappFault, Pick<SendResult, 'outcome' | 'is_of_pair'>>> = {
  credential: { outcome: 'unauthorized' },
  pair: { outcome: 'limited', is_of_pair: true },
  limit: { outcome: 'limited' },
  passing: { outcome: 'failed' },
  final: { outcome: 'refused' },
  unknown: { outcome: 'failed' },
};

/** The send API of the WhatsApp Cloud API: POST {base_url}/{phone_number_id}/messages, and …/media for files. */
export class ChatappSendApi implements SendApi {
  readonly #fetch = boundedFetch(MAX_ANSWER_BYTES);

  send({ base_url, phone_number_id, access_token, body, trace }: SendRequest): Promise<SendResult> {
    const post = {
      url: `${base_url}/${encodeURIComponent(phone_number_id)}/messages`,
      body: JSON.stringify(body),
      headers: { ...traceHeaders(trace), 'content-type': 'application/json' },
    };
    return this.#post(post, access_token, sentTexts(body), ({ messages }) =>
      Array.isArray(messages) ? (idOf(messages[0]) ?? '') : undefined,
    );
  }

  /** POST {base_url}/{phone_number_id}/media, as a form. */
  async upload({ base_url, phone_number_id, access_token, file, trace }: UploadRequest): Promise<SendResult> {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', file.mime_type);
    form.set('file', file.content, file.filename);
    const post = {
      url: `${base_url}/${encodeURIComponent(phone_number_id)}/media`,
      body: form,
      headers: traceHeaders(trace),
    };
    const result = await this.#post(post, access_token, [file.filename], idOf);
    return result.outcome === 'unknown' ? { ...result, outcome: 'failed' } : result;
  }

  /** @param idIn what the answer says about the channel's id; undefined where it is no answer of the API */
  async #post(
    { url, body, headers }: { url: string; body: string | FormData; headers: Record<string, string> },
    access_token: string,
    texts: readonly string[],
    idIn: (answer: JsonObject) => string | undefined,
  ): Promise<SendResult> {
    try {
      const response = await this.#fetch(url, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${access_token}` },
        body,
        signal: signalAfter(TIMEOUT_MS),
      });
      const secrets = [access_token, ...texts];
      const pause_ms = retryAfterMs(response.headers.get('retry-after'));
      return limitedBy(pause_ms, resultOf(response.status, await response.text(), secrets, idIn));
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** A time after which to try again is a limit, too. */
function limitedBy(pause_ms: number | undefined, result: SendResult): SendResult {
  if (result.outcome === 'failed' && pause_ms !== undefined)
    return { ...result, outcome: 'limited', pause_ms };
  return result.outcome === 'limited' ? { ...result, pause_ms } : result;
}

function resultOf(
  status: number,
  text: string,
  secrets: readonly string[],
  idIn: (answer: JsonObject) => string | undefined,
): SendResult {
  const answer = parse(text);
  const error = errorIn(answer);
  const isOk = status >= 200 && status < 300;
  if (isOk && !error) {
    // A proxy's page says nothing about the message.
    const id = isJsonObject(answer) ? idIn(answer) : undefined;
    if (id !== undefined) return { outcome: 'accepted', reason: '', ...(id !== '' && { channel_id: id }) };
    return { outcome: 'unknown', reason: `The send API answered ${status} without an id` };
  }
  const reason = `The send API answered ${status}: ${withoutSecrets(wordsOf(error), secrets)}`;
  return { ...OUTCOMES[faultOf(status, error)], reason: reason.slice(0, MAX_REASON_LENGTH) };
}

/** A message's texts, plain and JSON-escaped. An API's error may quote them, and reasons are stored unencrypted. */
function sentTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (typeof inner !== 'string') return sentTexts(inner);
    const isLong = inner.length >= MIN_REDACTED_LENGTH;
    return isLong && SAID.has(key) ? [inner, JSON.stringify(inner).slice(1, -1)] : [];
  });
}

const idOf = (value: unknown): string | undefined =>
  isJsonObject(value) && typeof value.id === 'string' ? value.id.slice(0, MAX_ID_LENGTH) : undefined;

function wordsOf(error: JsonObject | undefined): string {
  if (!error) return 'no words of its own';
  const details = isJsonObject(error.error_data) ? error.error_data.details : undefined;
  const parts = [error.code, error.message, details];
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}

function failureOf(error: unknown): SendResult {
  if (!(error instanceof Error)) return { outcome: 'unknown', reason: 'The send API did not answer' };
  const cause: unknown = error.cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  const reason = `The send API did not answer: ${code}`;
  return { outcome: NOT_SENT.has(code) ? 'failed' : 'unknown', reason };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
