import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';

// Errors and connections of Node, before a request reaches Fastify.

const details: Readonly<Record<string, [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
};

/** The same body as other failures for bytes that are not HTTP (contract, section 1). */
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

/** `refuseMissingHost` replaces Node's 400, which has neither an id nor a reason. */
export const serverOptions = { requireHostHeader: false };

/** RFC 9112, section 3.2. */
export function refuseMissingHost({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  if (headers.host !== undefined || httpVersion === '1.0') return undefined;
  return new ServiceError('bad_request', 'The header Host is missing');
}

/**
 * Node would answer unknown Expect headers with a 417 without a body; RFC 9110, section 10.1.1 lets servers ignore
 * them.
 */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
