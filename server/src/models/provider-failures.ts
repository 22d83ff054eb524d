import { isJsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { type OpenAiError, openAiErrorType } from '../platform/openai-errors.ts';
import type { LlmEndpoint } from './llm-client.port.ts';

const MAX_READ_BYTES = 64 * 1024;
const MAX_MESSAGE_LENGTH = 2000;

/** A failed call of a model, as clients read it. */
export interface ModelFailure {
  status: number;
  body: { detail: string; error: OpenAiError & { status?: number } };
  headers?: Record<string, string>;
}

/** How a try of a model ended without an answer. */
export interface FailedTry extends ModelFailure {
  /** The provider does not know the model. */
  is_unknown_model: boolean;
  /** Another model may fare better. */
  is_passing: boolean;
}

export const modelFailure = (
  status: number,
  detail: string,
  code: string | null = null,
  type = openAiErrorType(status),
): ModelFailure => ({ status, body: { detail, error: { message: detail, type, param: null, code } } });

type UnansweredCode = 'timeout' | 'provider_unreachable' | 'bad_answer' | 'client_left';

/** A provider that sent no response, or one that is none. */
export const unanswered = (status: 502 | 504, detail: string, code: UnansweredCode): FailedTry => ({
  ...modelFailure(status, detail, code),
  is_unknown_model: false,
  is_passing: true,
});

/** The failure that a provider's response tells, in the provider's words and without its key. */
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
  // Our own credential is at fault, not the caller's. A response that is no failure is none of this protocol.
  const isOurs = status === 401 || status === 403 || status === 407 || status < 400;
  const answered = isOurs ? 502 : status;
  const { body: shape } = modelFailure(answered, message, code && withoutKey(endpoint, code));
  return {
    status: answered,
    body: { ...shape, error: { ...shape.error, param: textOf(error.param), status } },
    ...(retry_after !== undefined && answered === 429 && { headers: { 'retry-after': retry_after } }),
    is_unknown_model,
    is_passing: is_unknown_model || status === 429 || status === 408 || status >= 500 || isOurs,
  };
}

const UNKNOWN_MODEL = /\bmodel\b.{0,200}\b(?:not found|does not exist|not exist|unknown|not supported)\b/is;

/** A provider's words for a failure. */
export const reasonOf = async (
  endpoint: LlmEndpoint,
  status: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> => `${status}: ${errorMessage(endpoint, await read(body), status)}`;

function errorMessage(endpoint: LlmEndpoint, text: string, status: number): string {
  const message = textOf(errorIn(text).message) ?? `The provider answered with ${status}`;
  return withoutKey(endpoint, message).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

export const withoutKey = ({ api_key }: LlmEndpoint, text: string): string =>
  storableText(api_key === '' ? text : text.replaceAll(api_key, '[secret]'));

/** OpenAI's {error: {message}}, and what others say instead. */
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

/** The beginning of a body; what cannot be read is left out. */
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
    // Its words are lost, its status is not.
  }
  return Buffer.concat(chunks).toString();
}
