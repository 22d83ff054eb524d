import type { Credential, Operation } from './operation.ts';

type Json = Record<string, unknown>;

const header = (description: string, schema: Json): Json => ({ description, schema });
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** By name in the document. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  RequestId: header(
    'Identifies the request in the service’s log; taken from the request’s own X-Request-Id',
    text,
  ),
  RateLimitLimit: header('Requests that the credential may make in a window', count),
  RateLimitRemaining: header('Requests that are left in the window', count),
  RateLimitReset: header('Seconds until the window ends', count),
  RateLimit: header('The same for all limits that count, in the form of the IETF’s draft', text),
  RateLimitPolicy: header('The limits themselves, in the form of the IETF’s draft', text),
  RetryAfter: header('Seconds after which it is worth trying again', count),
  WwwAuthenticate: header('How to authenticate', text),
  AcpIgnored: header('Fields of the request that were left out, with commas between them', text),
  Etag: header('The version of the answer, for If-None-Match', text),
};

const names: Readonly<Record<string, string>> = {
  RequestId: 'X-Request-Id',
  RateLimitLimit: 'X-RateLimit-Limit',
  RateLimitRemaining: 'X-RateLimit-Remaining',
  RateLimitReset: 'X-RateLimit-Reset',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  WwwAuthenticate: 'WWW-Authenticate',
  AcpIgnored: 'X-Acp-Ignored',
  Etag: 'ETag',
};

const LIMITS = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset', 'RateLimit', 'RateLimitPolicy'];
/** Their requests are rate-limited. */
const COUNTED: readonly Credential[] = ['tenant', 'admin', 'admin_user', 'user'];

/** For successful responses. */
export function headersOf({ credential, responses, answersWith = [] }: Operation): Json {
  const limits = COUNTED.includes(credential) ? LIMITS : [];
  return referred(['RequestId', ...limits, ...(304 in responses ? ['Etag'] : []), ...answersWith]);
}

/** Shared by all operations; with limits if the credential was counted. */
export function failureHeaders(status: number): Json {
  const own = { 401: ['WwwAuthenticate'], 429: ['RetryAfter'], 503: ['RetryAfter'] }[status] ?? [];
  return referred(['RequestId', ...own, ...(status === 401 ? [] : LIMITS)]);
}

const referred = (keys: readonly string[]): Json =>
  Object.fromEntries(keys.map((key) => [names[key], { $ref: `#/components/headers/${key}` }]));
