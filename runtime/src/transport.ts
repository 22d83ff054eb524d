import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { signalAfter } from './signal-after.ts';

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
  signal?: AbortSignal | undefined;
  /** For the response. */
  maxBytes?: number;
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

  return (url, { method, headers, body, timeoutMs, signal: given, maxBytes = Infinity }) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.any([signalAfter(timeoutMs), ...(given ? [given] : [])]);
      const options = { method, headers, signal };
      const receive = (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        let left = maxBytes;
        response.on('data', (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) response.destroy(new Error('The response is too large'));
          else chunks.push(chunk);
        });
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

/** For clients that bring their own requests, with a text as the body. */
export const fetchBy =
  (transport: Transport, limits: { timeoutMs: number; maxBytes: number }): typeof fetch =>
  async (input, init) => {
    const asked = new Request(input, init);
    const { status, headers, bytes } = await transport(new URL(asked.url), {
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      body: asked.body === null ? undefined : await asked.text(),
      signal: asked.signal,
      ...limits,
    });
    const answered = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: answered });
  };
