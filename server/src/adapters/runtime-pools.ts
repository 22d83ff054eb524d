import type { Socket } from 'node:net';
import type { Pool } from 'undici';

type Opened = (...args: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** More than the messages, health checks and secrets that one copy sends to an instance at once. */
const CONNECTIONS = 32;

/** Nothing was sent, because it is not the runtime that answers. */
export class NotTheRuntime extends Error {
  constructor(message = 'another process listens at its address') {
    super(message);
  }
}

export function runtimeUrl(address: string, path: string): URL {
  const url = new URL(address);
  url.pathname = path;
  return url;
}

/** Keeps the connections to each address alive, and forgets an address with its last connection. */
export class RuntimePools {
  readonly #open: (address: URL) => Promise<Socket>;
  readonly #pools = new Map<string, Pool>();

  /** @param open makes sure of who answers before it resolves */
  constructor(open: (address: URL) => Promise<Socket>) {
    this.#open = open;
  }

  /** For URLs of `runtimeUrl`; follows no redirect. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { fetch: send, Pool } = await import('undici');
    const url = new URL(input instanceof Request ? input.url : input);
    const key = url.origin + url.hash;
    const connect = this.#connectTo(url);
    const dispatcher =
      this.#pools.get(key) ?? this.#add(key, new Pool(url.origin, { connect, connections: CONNECTIONS }));
    const request = { ...init, redirect: 'manual', dispatcher } as Parameters<typeof send>[1];
    return send(url, request);
  };

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Until the pool has no connection left. */
  #add(key: string, pool: Pool): Pool {
    this.#pools.set(key, pool);
    const forget = () => {
      if (pool.stats.connected === 0 && this.#pools.get(key) === pool) this.#pools.delete(key);
    };
    return pool.on('disconnect', forget).on('connectionError', forget);
  }

  readonly #connectTo = (address: URL) => (_options: unknown, opened: Opened) => {
    this.#open(address).then(
      (socket) => opened(null, socket),
      (error: unknown) => opened(error as Error, null),
    );
  };
}
