import type { SendApi, SendRequest, SendResult } from '../channels/send-api.port.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
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

/** The send API of the WhatsApp Cloud API: POST {base_url}/{phone_number_id}/messages. */
export class ChatappSendApi implements SendApi {
  readonly #fetch = boundedFetch(MAX_ANSWER_BYTES);

  async send({ base_url, phone_number_id, access_token, body, trace }: SendRequest): Promise<SendResult> {
    try {
      const response = await this.#fetch(`${base_url}/${encodeURIComponent(phone_number_id)}/messages`, {
        method: 'POST',
        headers: {
          ...traceHeaders(trace),
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const secrets = [access_token, ...sentTexts(body)];
      const pause_ms = retryAfterMs(response.headers.get('retry-after'));
      return limitedBy(pause_ms, resultOf(response.status, await response.text(), secrets));
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

function resultOf(status: number, text: string, secrets: readonly string[]): SendResult {
  const answer = parse(text);
  const error = errorIn(answer);
  const isOk = status >= 200 && status < 300;
  if (isOk && !error) {
    // A proxy's page says nothing about the message.
    if (isJsonObject(answer) && Array.isArray(answer.messages)) {
      return { outcome: 'accepted', reason: '', channel_id: idOf(answer.messages) };
    }
    return { outcome: 'unknown', reason: `The send API answered ${status} without a message id` };
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
    return isLong && (key === 'text' || key === 'body') ? [inner, JSON.stringify(inner).slice(1, -1)] : [];
  });
}

function idOf([message]: unknown[]): string | undefined {
  return isJsonObject(message) && typeof message.id === 'string'
    ? message.id.slice(0, MAX_ID_LENGTH)
    : undefined;
}

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
