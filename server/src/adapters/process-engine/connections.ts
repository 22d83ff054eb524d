import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Pool } from 'undici';
import { listenerAt } from './listener.ts';
import { partsOf } from './runtime-process.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** The refusal to talk to whoever listens at a runtime's address. */
export class NotTheRuntime extends Error {
  constructor() {
    super('another process listens at its address');
  }
}

/** By address. */
const pools = new Map<string, Pool>();

/**
 * fetch for URLs of `at`; follows no redirect. A connection to a runtime is opened only while the kernel says that nobody but
 * the runtime that was started listens there, because each process of the machine may take a port. Rejects with
 * NotTheRuntime as the `cause`.
 */
export const fetchRuntime: typeof fetch = async (input, init) => {
  const { fetch: send, Pool } = await import('undici');
  const url = new URL(input instanceof Request ? input.url : input);
  const { origin, hash } = url;
  const key = origin + hash;
  const dispatcher = pools.get(key) ?? keep(key, new Pool(origin, { connect: openFor(url) }));
  const request = { ...init, redirect: 'manual', dispatcher } as Parameters<typeof send>[1];
  return send(url, request);
};

/** Kept while it has connections. */
function keep(key: string, pool: Pool): Pool {
  pools.set(key, pool);
  const forget = () => {
    if (pool.stats.connected === 0 && pools.get(key) === pool) pools.delete(key);
  };
  return pool.on('disconnect', forget).on('connectionError', forget);
}

type Opened = (...args: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** A path of a runtime whose address is given. */
export function at(address: string, path: string): URL {
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

/**
 * The second look makes sure of the connection: nobody else can have taken it while the runtime held the port from before
 * it was begun until after.
 */
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
