import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';

// Node's own refusals and connections, before a request reaches Fastify.

const details: Readonly<Record<string, [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
};

/** Answers bytes that are not HTTP like every other failure (contract, section 1). */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = details[error.code ?? ''] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** `refuseMissingHost` replaces Node's own 400, which has neither an id nor a reason. */
export const serverOptions = { requireHostHeader: false };

/** A 400 for a request without Host (RFC 9112, section 3.2); undefined where it has one. */
export function refuseMissingHost({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  if (headers.host !== undefined || httpVersion === '1.0') return undefined;
  return new ServiceError('bad_request', 'The header Host is missing');
}

/** Ignores unknown Expect headers (RFC 9110, section 10.1.1), where Node would answer a 417 without a body. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/**
 * Ends connections without a request when the app closes. Browsers and fetch open some in advance, and `close` would
 * wait for Node's headersTimeout of a minute.
 */
export function dropSilentConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (closing) socket.destroy();
  });
  app.addHook('preClose', (done) => {
    closing = true;
    // `close` also waits for kept-alive connections, so answers from now on do not keep theirs.
    app.server.keepAliveTimeout = 1;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}
