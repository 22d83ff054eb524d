/**
 * Headers of every response that sets none of these itself. There is no content security policy: responses are JSON, and
 * the documentation's pages bring scripts of their own. `no-store` keeps responses out of shared caches
 * (RFC 9111, section 5.2.2.5), which do not know that X-Api-Key identifies the caller.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};
