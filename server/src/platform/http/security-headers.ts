import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Each answer would carry them, and clients of an API look at none. */
const ONLY_FOR_OLD_BROWSERS = {
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/**
 * What every answer has that says nothing else. Helmet's headers, which are the same each time, are asked for once; without
 * a content security policy: what is served is JSON, and the documentation's pages bring scripts of their own. No cache
 * keeps an answer (RFC 9111, section 5.2.2.5): a shared one does not know that X-Api-Key says whose it is.
 */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  const set = helmet({ contentSecurityPolicy: false, ...ONLY_FOR_OLD_BROWSERS });
  set({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}
