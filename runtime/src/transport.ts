import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** How long a connection is kept for a next request: far shorter than any server keeps it, so none ends under one. */
const idleMs = 4000;

/** Whom a TLS client trusts, and how it names itself, if it does; all PEM. */
export interface TlsMaterial {
  ca: string[];
  cert?: string;
  key?: string;
}

export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** From the start to the last byte of the answer. */
  timeoutMs: number;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One HTTP exchange; redirects are not followed. Rejects when no whole answer came. */
export type Transport = (url: URL, outgoing: Outgoing) => Promise<Reply>;

/** A transport whose TLS connections trust and show what `tls` says at the time; without it, what the system trusts. */
export function createTransport(tls?: () => TlsMaterial): Transport {
  let used: { material: TlsMaterial; agent: Agent } | undefined;

  /** Connections that were opened with another certificate are not used again; what is on them comes to its end. */
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
          resolve({ status, headers, text: Buffer.concat(chunks).toString() });
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
