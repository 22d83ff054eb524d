import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** As many as a network may have on the mTLS listener (tls-thread.mjs). Further ones are closed. */
const MAX_CONNECTIONS = 2000;

const ofRuntimes = new WeakSet<object>();

/** Serves a connection on which the routes for runtimes alone exist. */
export function serveRuntime({ server }: FastifyInstance, connection: Duplex): void {
  ofRuntimes.add(connection);
  server.emit('connection', connection);
}

/** True for a request on such a connection. */
export const isOfRuntime = ({ raw }: FastifyRequest): boolean => ofRuntimes.has(raw.socket);

/**
 * Serves such connections at a Unix socket, which every user may open who sees it.
 * @returns ends that; open connections stay
 */
export async function serveRuntimeAt(app: FastifyInstance, path: string): Promise<() => Promise<void>> {
  await rm(path, { force: true });
  // As HTTP servers do: a client may end its side first.
  const server = createServer({ allowHalfOpen: true }, (socket) => serveRuntime(app, socket));
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ path, readableAll: true, writableAll: true });
  await once(server, 'listening');
  server.on('error', (error) => app.log.error({ err: error }, 'the socket of a runtime failed'));
  // It removes the socket at once.
  return async () => void server.close();
}
