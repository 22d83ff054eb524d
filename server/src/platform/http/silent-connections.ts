import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * When the app closes, ends the connections that have not brought a byte. Browsers and fetch open some in advance; Node
 * takes them for busy until its headersTimeout, a minute, and `close` would wait for that.
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
    // What is answered from now on does not keep its connection open for the next request: `close` waits for that, too.
    app.server.keepAliveTimeout = 1;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}
