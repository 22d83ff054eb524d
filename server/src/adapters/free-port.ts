import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that was free a moment ago: the preferred one when it is, else any. Another process may take
 * it in between, so whoever starts something there tries again when it ends.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred === undefined) return tryPort(0);
  return tryPort(preferred).catch(() => tryPort(0));
}

async function tryPort(wanted: number): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: wanted, exclusive: true });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port of 127.0.0.1 is free');
  return address.port;
}
