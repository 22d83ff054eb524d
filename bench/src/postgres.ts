import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './ports.ts';
import { Process } from './processes.ts';

const run = promisify(execFile);

/** For a small server; durability stays at PostgreSQL's defaults. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '300',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };

export interface PostgresServer {
  version: string;
  pid: number;
  password: string;
  port: number;
  bin: string;
  urlOf(login: string, database: string): string;
  stop(): Promise<void>;
}

/** BENCH_PG_BIN, or the newest of Debian's. Throws an Error in one line. */
export function findPostgres(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const bin = process.env.BENCH_PG_BIN ?? (versions[0] && join(debian, versions[0], 'bin'));
  if (bin && existsSync(join(bin, 'initdb'))) return bin;
  throw new Error(
    'There is no PostgreSQL server: apt-get install postgresql, or BENCH_PG_BIN=<where initdb is>',
  );
}

/** @param further settings */
export async function startPostgres(
  directory: string,
  further: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const bin = findPostgres();
  const user = process.geteuid?.() === 0 ? NOBODY : undefined;
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  const password = randomBytes(24).toString('base64url');
  await mkdir(directory, { recursive: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await Promise.all([directory, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  // pgbench connects anew for each window. The costly SCRAM would be measured with it.
  const initdb = [`--pgdata=${data}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=md5'];
  await run(join(bin, 'initdb'), [...initdb, '--encoding=UTF8', '--no-locale'], { ...user, cwd: directory });
  const port = await freePort();
  const settings = { ...SETTINGS, ...further, port: String(port), unix_socket_directories: directory };
  const server = new Process({
    command: join(bin, 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    log: join(directory, 'postgres.log'),
    ...user,
  });
  const urlOf = (login: string, database: string) =>
    `postgres://${login}:${password}@127.0.0.1:${port}/${database}`;
  await server.ready(() => connects(urlOf('postgres', 'postgres')));
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  // PostgreSQL's fast shutdown, which waits for no client.
  return { version, pid: server.pid, password, port, bin, urlOf, stop: () => server.stop('SIGINT') };
}

async function connects(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
