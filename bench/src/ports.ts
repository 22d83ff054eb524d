import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** The kernel's ports of outgoing connections begin at 32768 (ip_local_port_range), the usual servers are below. */
const FIRST = 20_000;
/** Concurrent processes have ranges of their own. */
const RANGES = 600;
const PORTS_EACH = 20;

const start = FIRST + (process.pid % RANGES) * PORTS_EACH;
let taken = 0;

/** A free port of the loopback address, for a program that starts later. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_EACH; tries++) {
    const port = start + (taken++ % PORTS_EACH);
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await isListening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Listens at a free port of the loopback address. @returns its HTTP base URL */
export async function listenOnLoopback(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
