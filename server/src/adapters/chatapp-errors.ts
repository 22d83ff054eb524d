import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

/** Too many requests for the number, or for its account. */
const THROTTLED: ReadonlySet<unknown> = new Set([4, 80_007, 130_429, 131_048]);
/** Too many messages from the number to one person. */
const PAIR_THROTTLED = 131_056;
/** Besides 200 to 299, which are missing permissions. */
const REFUSES_CREDENTIAL: ReadonlySet<unknown> = new Set([0, 10, 102, 190]);

/**
 * - credential: our token is refused.
 * - pair, limit: too much for one person, or for the number.
 * - passing: an outage.
 * - final: the API's own refusal.
 * - unknown: not the API's own answer, such as a proxy's 404.
 */
export type ChatappFault = 'credential' | 'pair' | 'limit' | 'passing' | 'final' | 'unknown';

/** The `error` of an answer. */
export const errorIn = (answer: unknown): JsonObject | undefined =>
  isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : undefined;

/** The API's code tells more than the status: a limit often comes with 400 (contract, section 13). */
export function faultOf(status: number, error: JsonObject | undefined): ChatappFault {
  const code = codeOf(error);
  if (code !== undefined && (REFUSES_CREDENTIAL.has(code) || (code >= 200 && code <= 299)))
    return 'credential';
  if (code === PAIR_THROTTLED) return 'pair';
  if (THROTTLED.has(code) || status === 429) return 'limit';
  if (error?.is_transient === true || status >= 500) return 'passing';
  if (status === 401 || status === 403) return 'credential';
  return error ? 'final' : 'unknown';
}

export function codeOf(error: JsonObject | undefined): number | undefined {
  const code = error?.code;
  if (typeof code === 'string' && /^\d{1,9}$/.test(code)) return Number(code);
  return typeof code === 'number' ? code : undefined;
}
