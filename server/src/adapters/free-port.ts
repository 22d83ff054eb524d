import { once } from 'node:events';
import { createServer } from 'node:net';

/** On 127.0.0.1. Another process may take the port first, so callers retry when their program fails to listen. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port of 127.0.0.1 is free');
  return address.port;
}
