/**
 * Headers of every response that sets none of these itself, as the documentation's pages set their own policy. There is no
 * Strict-Transport-Security: the proxy in front knows which names it serves over TLS. `no-store` keeps responses out of shared caches
 * (RFC 9111, section 5.2.2.5), which do not know that X-Api-Key identifies the caller.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};
