import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const ofRuntimes = new WeakSet<object>();

/** Serves a connection on which the routes for runtimes alone exist. */
export function serveRuntime({ server }: FastifyInstance, connection: Duplex): void {
  ofRuntimes.add(connection);
  server.emit('connection', connection);
}

/** True for a request on such a connection. */
export const isOfRuntime = ({ raw }: FastifyRequest): boolean => ofRuntimes.has(raw.socket);
