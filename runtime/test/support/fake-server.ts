import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A received request. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  authorization: string | undefined;
  /** X-Pin-Session. */
  pinSession: string | undefined;
  /** X-Sender-Token. */
  senderToken: string | undefined;
  /** X-Conversation-Id. */
  conversationId: string | undefined;
  /** The client certificate's serial, in hexadecimal. */
  client_serial: string | undefined;
  body: unknown;
}

/**
 * 'hang' never responds, 'drop' closes the connection, another string is sent as it is, and a function writes its own
 * response.
 */
export type FakeReply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | ((response: ServerResponse) => void);

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

function clientSerial({ socket }: IncomingMessage): string | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return certificate?.serialNumber.toLowerCase();
}

/** Listens on loopback and stops with the test. */
export async function startFake(
  answer: (seen: Seen) => FakeReply | Promise<FakeReply>,
  tls?: ServerOptions,
): Promise<FakeServer> {
  const seen: Seen[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const url = new URL(request.url ?? '/', 'http://fake');
        const one: Seen = {
          pinSession: [request.headers['x-pin-session']].flat()[0],
          conversationId: [request.headers['x-conversation-id']].flat()[0],
          senderToken: [request.headers['x-sender-token']].flat()[0],
          method: request.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          authorization: request.headers.authorization,
          client_serial: clientSerial(request),
          body: parse(Buffer.concat(chunks).toString()),
        };
        seen.push(one);
        const reply = await answer(one);
        if (reply === 'hang') return;
        if (reply === 'drop') {
          request.socket.destroy();
          return;
        }
        if (typeof reply === 'function') return reply(response);
        response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
      })();
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, seen };
}
