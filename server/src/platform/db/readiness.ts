import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { connectInTurn, connectionOf, KEPT_ALIVE, READ_ONLY, Servers, WatchedClient } from './servers.ts';

/** Health checks do not wait longer. */
const READY_WITHIN_MS = 5000;
const SESSION = ['role=acp_system', 'statement_timeout=5000', 'lock_timeout=1000'];
/** Not transaction_read_only, which belongs to the transaction. */
const ASK = `
  select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only,
         m.oldest, m.newest
  from (select max(coalesce(oldest, left(name, 4)::integer)) as oldest, max(left(name, 4)::integer) as newest
        from schema_migrations) as m`;
/** Fails if no file can grow. It is rolled back and locks nothing that others use. */
const NEEDS_ROOM = `create temporary table acp_room as select md5(n::text) as filler from generate_series(1, 20000) as n`;

/** `busy`: reachable, but callers wait or no connection is free. `full`: the disk has no room. */
export const DATABASE_STATES = ['ok', 'busy', 'read_only', 'full', 'unreachable'] as const;
export type DatabaseState = (typeof DATABASE_STATES)[number];
/** `ahead`: a newer version has migrated, and this one may continue. `incompatible`: it may not. */
export type MigrationState = 'applied' | 'ahead' | 'incompatible' | 'unknown';

export interface DatabaseChecks {
  database: DatabaseState;
  migrations: MigrationState;
}

interface Asked {
  is_read_only: boolean;
  oldest: number;
  newest: number;
}

interface Watched {
  /** Callers wait for a connection, or the server has none to spare. */
  readonly isBusy: boolean;
  /** A statement failed because the disk was full; cleared once there is room. */
  isFull: boolean;
}

/** Checks the database over its own connection, which no other statement blocks. */
export class Readiness {
  readonly #servers: Servers;
  readonly #makeClient: (url: string) => WatchedClient;
  readonly #watched: Watched;
  readonly #version: number;
  #client: WatchedClient | undefined;
  #asking: Promise<DatabaseChecks> | undefined;
  #isClosed = false;

  /** @param version the number of the newest migration that this code knows */
  constructor(url: string, version: number, watched: Watched) {
    const options = connectionOptions(url, SESSION);
    this.#servers = new Servers(options.connectionString);
    this.#makeClient = (one) =>
      new WatchedClient({
        ...options,
        ...KEPT_ALIVE,
        connectionString: one,
        connectionTimeoutMillis: READY_WITHIN_MS,
        application_name: 'agent-control-plane readiness',
      });
    this.#version = version;
    this.#watched = watched;
  }

  /** Concurrent calls share one check. */
  check(): Promise<DatabaseChecks> {
    this.#asking ??= this.#inTime().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#asking;
    await this.#client?.end();
  }

  async #inTime(): Promise<DatabaseChecks> {
    const late = new AbortController();
    const tooLate = sleep(READY_WITHIN_MS, undefined, { ref: false, signal: late.signal }).then(() => {
      throw new Error('The database did not answer in time');
    });
    try {
      return await Promise.race([this.#ask(), tooLate]);
    } catch (error) {
      this.#giveUp();
      return { database: stateFor(error), migrations: 'unknown' };
    } finally {
      late.abort();
    }
  }

  async #ask(): Promise<DatabaseChecks> {
    const client = (this.#client ??= await this.#connect());
    const { rows } = await client.query<Asked>(ASK);
    const [asked = { is_read_only: true, oldest: 0, newest: 0 }] = rows;
    const migrations = this.#compare(asked);
    if (asked.is_read_only) {
      // Another session may find it writable.
      this.#giveUp();
      return { database: 'read_only', migrations };
    }
    if (this.#watched.isFull) this.#watched.isFull = !(await hasRoom(client));
    if (this.#watched.isFull) return { database: 'full', migrations };
    return { database: this.#watched.isBusy ? 'busy' : 'ok', migrations };
  }

  #compare({ oldest, newest }: Asked): MigrationState {
    if (oldest > this.#version) return 'incompatible';
    return newest > this.#version ? 'ahead' : 'applied';
  }

  async #connect(): Promise<WatchedClient> {
    const client = await connectInTurn(this.#servers, (url) => {
      const made = this.#makeClient(url);
      // The next question opens another.
      made.on('error', () => this.#forget(made));
      made.on('end', () => this.#forget(made));
      return made;
    });
    if (this.#isClosed) await client.end();
    return client;
  }

  #forget(client: WatchedClient): void {
    if (this.#client === client) this.#client = undefined;
  }

  #giveUp(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client) connectionOf(client).stream.destroy();
  }
}

/** The server answers, but cannot serve now, for instance without a free connection. */
const BUSY = /^(?:53[234]|55P03|57014)/;
const DISK_FULL = '53100';

/** How a failure shows the database. */
export function stateFor(error: unknown): DatabaseState {
  const codes = codesOf(error);
  if (codes.includes(READ_ONLY)) return 'read_only';
  if (codes.includes(DISK_FULL)) return 'full';
  return codes.some((code) => BUSY.test(code)) ? 'busy' : 'unreachable';
}

/** The codes of an error and its causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
  return codes;
}

async function hasRoom(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    await client.query(NEEDS_ROOM);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === DISK_FULL) return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}
