import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { seed } from './seed.ts';
import { type Installation, newInstallation, type RunningService, startService } from './service.ts';

const DATABASE = 'bench';

export interface World {
  directory: string;
  postgres: PostgresServer;
  /** A superuser, past row-level security. */
  admin: pg.Client;
  /** A login without rights of its own, as the service's. */
  peer_url: string;
  installation: Installation;
  service: RunningService;
  /** Tenants 1 to this have recipes. The WRITERS after them have none. */
  readers: number;
  close(): Promise<void>;
}

export async function openWorld(readers: number, nodeArgs: string[] = []): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'acp-bench-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    // PostgreSQL may run as another user.
    await chmod(directory, 0o711);
    const postgres = await startPostgres(join(directory, 'postgres'));
    undo.push(() => postgres.stop());
    const owner_url = await createDatabase(postgres, DATABASE);
    const installation = newInstallation(directory, owner_url);
    const service = await startService(installation, 'service', { nodeArgs });
    undo.push(() => service.stop());
    const admin = new pg.Client({ connectionString: postgres.urlOf('postgres', DATABASE) });
    await admin.connect();
    undo.push(() => admin.end());
    await seed(admin, readers);
    const peer_url = postgres.urlOf('bench_peer', DATABASE);
    return { directory, postgres, admin, peer_url, installation, service, readers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The owner is no superuser, as in production. */
export async function createDatabase(
  postgres: Pick<PostgresServer, 'password' | 'urlOf'>,
  name: string,
): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres', 'postgres') });
  await client.connect();
  try {
    const { rows } = await client.query(`select from pg_roles where rolname = 'bench_owner'`);
    if (rows.length === 0) {
      await client.query(`create role bench_owner login createrole password '${postgres.password}'`);
      await client.query(`create role bench_peer login noinherit password '${postgres.password}'`);
    }
    await client.query(`create database ${name} owner bench_owner`);
    return postgres.urlOf('bench_owner', name);
  } finally {
    await client.end();
  }
}
