import { isJsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { type OpenAiError, openAiErrorType } from '../platform/openai-errors.ts';
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
): Promise<FailedTry> {
  const text = await read(body);
  const error = errorIn(text);
  const message = errorMessage(endpoint, text, status);
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
    is_passing: is_unknown_model || status === 429 || status === 408 || status >= 500 || isOurs,
  };
}

const UNKNOWN_MODEL = /\bmodel\b.{0,200}\b(?:not found|does not exist|not exist|unknown|not supported)\b/is;

export const reasonOf = async (
  endpoint: LlmEndpoint,
  status: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> => `${status}: ${errorMessage(endpoint, await read(body), status)}`;

function errorMessage(endpoint: LlmEndpoint, text: string, status: number): string {
  const message = textOf(errorIn(text).message) ?? `The provider answered with ${status}`;
  return withoutKey(endpoint, message).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

const withoutKey = ({ api_key }: LlmEndpoint, text: string): string =>
  storableText(api_key === '' ? text : text.replaceAll(api_key, '[secret]'));

/** OpenAI's {error: {message}}, and variants of other providers. */
function errorIn(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {};
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return {};
  if (isJsonObject(first.error)) return first.error;
  return { ...first, message: textOf(first.error) ?? textOf(first.message) ?? textOf(first.detail) };
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
