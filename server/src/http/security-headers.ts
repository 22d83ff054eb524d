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
 * Helmet's headers, which are the same for every answer: asked for once instead of at each request. Without a content
 * security policy: what is served is JSON, and the documentation's pages bring scripts of their own.
 */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
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
