import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { type OpenAiError, openAiErrorType } from '../platform/openai-errors.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import type { LlmEndpoint } from './llm-client.port.ts';

const MAX_READ_BYTES = 64 * 1024;
const MAX_MESSAGE_LENGTH = 2000;

/** The response to the client. */
export interface ModelFailure {
  status: number;
  body: { detail: string; error: OpenAiError & { status?: number } };
  headers?: Record<string, string>;
}

export interface FailedTry extends ModelFailure {
  is_unknown_model: boolean;
  /** A fallback may succeed. */
  is_passing: boolean;
  /** The provider may bill it although it told no usage. */
  may_cost: boolean;
  /** The usage that the provider told all the same. */
  counts?: TokenCounts | undefined;
}

export const modelFailure = (
  status: number,
  detail: string,
  code: string | null = null,
  type = openAiErrorType(status),
): ModelFailure => ({ status, body: { detail, error: { message: detail, type, param: null, code } } });

type UnansweredCode = 'timeout' | 'provider_unreachable' | 'bad_answer' | 'client_left';

/** No response, or an invalid one. @param may_cost false when the request did not reach the provider */
export const unanswered = (
  status: 502 | 504,
  detail: string,
  code: UnansweredCode,
  may_cost = true,
): FailedTry => ({
  ...modelFailure(status, detail, code),
  is_unknown_model: false,
  is_passing: true,
  may_cost,
});

/** The failure in a provider's response, without its API key. */
export async function refusedBy(
  endpoint: LlmEndpoint,
  status: number,
  body: AsyncIterable<Uint8Array>,
  retry_after: string | undefined,
): Promise<FailedTry & { told: unknown }> {
  const told = parse(await read(body));
  return { ...failureFor(endpoint, status, told, retry_after), told };
}

/** A failure that came with 200. Its own status counts, and any other model may be asked. */
export function failureTold(endpoint: LlmEndpoint, told: unknown): FailedTry {
  const { code, status } = errorIn(told);
  const own = [code, status].map(Number).find((one) => Number.isInteger(one) && one >= 400 && one < 600);
  return { ...failureFor(endpoint, own ?? 502, told), is_passing: true };
}

function failureFor(endpoint: LlmEndpoint, status: number, told: unknown, retry_after?: string): FailedTry {
  const error = errorIn(told);
  const message = errorMessage(endpoint, error, status);
  const code = textOf(error.code);
  const is_unknown_model =
    code === 'model_not_found' || status === 404 || (status === 400 && UNKNOWN_MODEL.test(message));
  // 401, 403 and 407 refuse our credential, not the caller's. Below 400 is no failure of this protocol.
  const isOurs = status === 401 || status === 403 || status === 407 || status < 400;
  const answered = isOurs ? 502 : status;
  const { body: shape } = modelFailure(answered, message, code && withoutKey(endpoint, code));
  return {
    status: answered,
    body: { ...shape, error: { ...shape.error, param: textOf(error.param), status } },
    ...(retry_after !== undefined && answered === 429 && { headers: { 'retry-after': retry_after } }),
    is_unknown_model,
    may_cost: false,
    is_passing:
      is_unknown_model || PASSING.has(status) || status >= 500 || isOurs || isTooLong(code, message),
  };
}

/** No money, too slow, in conflict, too large here, too many. */
const PASSING: ReadonlySet<number> = new Set([402, 408, 409, 413, 429]);

/** Another model may have a larger context. */
const isTooLong = (code: string | null, message: string): boolean =>
  code === 'context_length_exceeded' ||
  /maximum context length|context (?:size|window)|prompt is too long/i.test(message);

const UNKNOWN_MODEL =
  /\bmodel\b.{0,200}\b(?:not found|does not exist|not exist|unknown|decommissioned|not supported)\b/is;

export const reasonOf = async (
  endpoint: LlmEndpoint,
  status: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> => `${status}: ${errorMessage(endpoint, errorIn(parse(await read(body))), status)}`;

function errorMessage(endpoint: LlmEndpoint, { message, metadata }: JsonObject, status: number): string {
  const words = wordsOf(message) ?? `The provider answered with ${status}`;
  // A gateway's own words may only say that the provider behind it failed.
  const behind = isJsonObject(metadata) ? wordsOf(metadata.raw) : undefined;
  const all = behind === undefined ? words : `${words}: ${behind}`;
  return withoutKey(endpoint, all).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

/** A provider's message may be any JSON. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return value === null || value === undefined ? undefined : JSON.stringify(value);
}

const withoutKey = ({ api_key }: LlmEndpoint, text: string): string =>
  storableText(api_key === '' ? text : text.replaceAll(api_key, '[secret]'));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** OpenAI's {error: {message}}, and variants of other providers. */
export function errorIn(told: unknown): JsonObject {
  const first: unknown = Array.isArray(told) ? told[0] : told;
  if (!isJsonObject(first)) return {};
  if (isJsonObject(first.error)) return { ...first.error, message: first.error.message ?? first.error };
  const { base_resp: minimax, errors } = first;
  if (isJsonObject(minimax)) return { message: minimax.status_msg, code: String(minimax.status_code) };
  const message = first.error ?? first.message ?? first.detail ?? first.msg ?? errors;
  return { ...first, message };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** At most MAX_READ_BYTES, and less when the body breaks off. */
async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = MAX_READ_BYTES;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) break;
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).toString();
}
