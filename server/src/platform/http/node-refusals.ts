import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { ServiceError } from '../errors.ts';

/** A request without Host is refused by whyNoHost instead: Node's own 400 has neither an id nor a reason. */
export const serverOptions = { requireHostHeader: false };

/** RFC 9112, section 3.2. */
export function whyNoHost({ headers, httpVersion }: IncomingMessage): ServiceError | undefined {
  if (headers.host !== undefined || httpVersion === '1.0') return undefined;
  return new ServiceError('bad_request', 'The header Host is missing');
}

/** An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1); Node's own 417 tells nothing either. */
export function ignoreExpectations(server: Server | TlsServer): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}
