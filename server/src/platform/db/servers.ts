import pg from 'pg';
import type { ProtocolConnection } from './batch.ts';
import { passes } from './passing.ts';
import { whyNotConnected } from './unreachable.ts';

/** Without probes, TCP takes a quarter of an hour to notice a dead host, and a firewall may drop an idle connection. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

export const connectionOf = (client: pg.ClientBase): ProtocolConnection =>
  (client as unknown as { connection: ProtocolConnection }).connection;

/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006';

/** So long that a check every few seconds sees it. */
const SHORT_FOR_MS = 15_000;

/** Class 53: the server has no free connection. */
const hasNoneToSpare = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '53300';

/** `any`: the first that accepts the connection; `writable`: one that takes writes (libpq's read-write and primary). */
type Wanted = 'any' | 'writable';

const WANTED: Readonly<Record<string, Wanted>> = {
  any: 'any',
  'read-write': 'writable',
  primary: 'writable',
};
const HOSTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^@/?#]*,[^@/?#]*)([/?#].*)?$/s;

/** Supported values of target_session_attrs: those that make sense for a service that writes. */
export const SESSION_ATTRIBUTES = Object.keys(WANTED);

/** One URL for each host of a URL that names several (`postgres://a:1,b:2/db`), without target_session_attrs. */
export function urlsOf(url: string): string[] {
  const plain = url.replace(/([?&])target_session_attrs=[^&#]*&?/g, '$1').replace(/[?&]$/, '');
  const [, start = '', hosts = '', rest = ''] = HOSTS.exec(plain) ?? [];
  return hosts === '' ? [plain] : hosts.split(',').map((host) => `${start}${host}${rest}`);
}

function wantedOf(url: string): Wanted {
  const value = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'any';
  return WANTED[value] ?? 'any';
}

/**
 * The servers in DATABASE_URL. A new connection goes to the server of the last one; if that fails, to the others in turn.
 */
export class Servers {
  readonly #urls: readonly string[];
  readonly #wanted: Wanted;
  #at = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** How often a server had no free connection. */
  refusals = 0;

  constructor(url: string) {
    this.#urls = urlsOf(url);
    this.#wanted = wantedOf(url);
  }

  /** The URL for the next connection. */
  get url(): string {
    return this.#urls[this.#at % this.#urls.length] ?? '';
  }

  /**
   * Tries each server in turn. Rejects with a failure that passes, if there is one.
   * @param open rejects if the server cannot serve, and closes its connection
   */
  async inTurn<T>(open: (url: string) => Promise<T>): Promise<T> {
    const errors: unknown[] = [];
    for (let left = this.#urls.length; ; left--) {
      const { url } = this;
      try {
        return await open(url);
      } catch (error) {
        // Another caller may have moved on meanwhile.
        if (this.url === url) this.#at++;
        if (hasNoneToSpare(error)) this.#noteRefusal();
        errors.push(error);
        if (left <= 1) throw errors.findLast((one) => passes(whyNotConnected(one))) ?? error;
      }
    }
  }

  /** True if a server recently had no free connection. */
  get isShort(): boolean {
    return performance.now() - this.#refusedAt < SHORT_FOR_MS;
  }

  #noteRefusal(): void {
    this.refusals++;
    this.#refusedAt = performance.now();
  }

  /** Rejects if the session lacks the requested attributes. @param client watched from before it connected */
  mustServe(client: WatchedClient): void {
    if (this.#wanted === 'writable' && client.isReadOnly)
      throw Object.assign(
        new Error('DATABASE_URL names no server that takes writes (target_session_attrs)'),
        {
          code: READ_ONLY,
        },
      );
  }
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Records whether the session takes writes, which the server reports when the session begins. */
export class WatchedClient extends pg.Client {
  #states = new Map<string, string>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      this.#states.set(parameterName, parameterValue);
    });
  }

  get isReadOnly(): boolean {
    return ['in_hot_standby', 'default_transaction_read_only'].some(
      (name) => this.#states.get(name) === 'on',
    );
  }
}

/** Connects to the servers in turn. @param make a client that is not connected yet */
export function connectInTurn(
  servers: Servers,
  make: (url: string) => WatchedClient,
): Promise<WatchedClient> {
  return servers.inTurn(async (url) => {
    const client = make(url);
    try {
      await client.connect();
      servers.mustServe(client);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  });
}
