/**
 * Defaults for all responses; the documentation pages have their own policy. Without Strict-Transport-Security: only
 * the proxy in front knows the names that it serves over TLS. `no-store` prevents shared caches (RFC 9111, section
 * 5.2.2.5), which ignore that X-Api-Key identifies the caller.
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
