import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** Shorter than servers' timeouts, so that no request meets a closing connection. */
const idleMs = 4000;

/** PEM. */
export interface TlsMaterial {
  ca: string[];
  cert?: string;
  key?: string;
}

interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Until the last byte of the response. */
  timeoutMs: number;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Follows no redirect. Rejects unless the response is complete. */
export type Transport = (url: URL, outgoing: HttpRequest) => Promise<HttpResponse>;

/** @param tls is called for each request; undefined: the system's trust store */
export function createTransport(tls?: () => TlsMaterial): Transport {
  let used: { material: TlsMaterial; agent: Agent } | undefined;

  /** New material has a new agent, so connections with the old certificate are not reused. */
  function agent(): Agent | undefined {
    const material = tls?.();
    if (material === undefined) return undefined;
    if (used?.material !== material) {
      used = { material, agent: new Agent({ ...material, keepAlive: true, timeout: idleMs }) };
    }
    return used.agent;
  }

  return (url, { method, headers, body, timeoutMs }) =>
    new Promise((resolve, reject) => {
      const options = { method, headers, signal: AbortSignal.timeout(timeoutMs) };
      const receive = (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, bytes: Buffer.concat(chunks) });
        });
      };
      const request =
        url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: agent() }, receive)
          : httpRequest(url, options, receive);
      request.on('error', reject);
      request.end(body);
    });
}
