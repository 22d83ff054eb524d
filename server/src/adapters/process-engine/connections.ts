import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Pool } from 'undici';
import { listenerAt } from './listener.ts';
import { partsOf } from './runtime-process.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Refuses to connect to another process at a runtime's address. */
export class NotTheRuntime extends Error {
  constructor() {
    super('another process listens at its address');
  }
}

const pools = new Map<string, Pool>();

/**
 * For URLs of `runtimeUrl`; follows no redirect. Any local process may take a port, so it connects only while the kernel
 * reports that the started runtime alone listens there. Rejects with NotTheRuntime as the `cause`.
 */
export const fetchRuntime: typeof fetch = async (input, init) => {
  const { fetch: send, Pool } = await import('undici');
  const url = new URL(input instanceof Request ? input.url : input);
  const { origin, hash } = url;
  const key = origin + hash;
  const dispatcher = pools.get(key) ?? addPool(key, new Pool(origin, { connect: openFor(url) }));
  const request = { ...init, redirect: 'manual', dispatcher } as Parameters<typeof send>[1];
  return send(url, request);
};

/** Until the pool has no connection left. */
function addPool(key: string, pool: Pool): Pool {
  pools.set(key, pool);
  const forget = () => {
    if (pool.stats.connected === 0 && pools.get(key) === pool) pools.delete(key);
  };
  return pool.on('disconnect', forget).on('connectionError', forget);
}

type Opened = (...args: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

export function runtimeUrl(address: string, path: string): URL {
  const url = new URL(address);
  url.pathname = path;
  return url;
}

const openFor = (address: URL) => (_options: unknown, opened: Opened) => {
  open(address).then(
    (socket) => opened(null, socket),
    (error: unknown) => opened(error as Error, null),
  );
};

/** Checks again after connecting: if the runtime held the port all the time, no other process has the connection. */
async function open(address: URL): Promise<Socket> {
  const { port, runtime } = partsOf(address);
  const listener = listenerAt(port, runtime);
  if (listener === 'nobody') throw Object.assign(new Error('Nobody listens'), { code: 'ECONNREFUSED' });
  if (listener === 'another') throw new NotTheRuntime();
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    if (!listener.isHeld()) throw new NotTheRuntime();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
