import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as it came over the wire. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  authorization: string | undefined;
  body: unknown;
}

/** What a fake says: a string is sent as it is (garbage), 'hang' never answers. */
export type Said = { status: number; body?: unknown } | 'hang';

export interface FakeServer {
  url: string;
  seen: Seen[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

/** A real HTTP server on loopback that ends with the test. */
export async function startFake(answer: (seen: Seen) => Said | Promise<Said>): Promise<FakeServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const url = new URL(request.url ?? '/', 'http://fake');
        const one: Seen = {
          method: request.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          authorization: request.headers.authorization,
          body: parse(Buffer.concat(chunks).toString()),
        };
        seen.push(one);
        const said = await answer(one);
        if (said === 'hang') return;
        response.writeHead(said.status, { 'content-type': 'application/json' });
        response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
      })();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
