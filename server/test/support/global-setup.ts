import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/launcher.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readSchema } from '../../src/platform/db/schema-files.ts';
import { databaseUrl, queryOnce } from './connection.ts';
import { copyDataDir } from './data-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where databases can be made. */
    adminUrl: string;
    /** The login that services use; the same where DATABASE_URL names the server. */
    loginUrl: string;
    /** A migrated database that test files clone. */
    templateName: string;
    /** The run's databases have names that begin with it. */
    databasePrefix: string;
    /** How it is cloned for least there. */
    cloneStrategy: 'file_copy' | 'wal_log';
    /** An embedded database that is migrated, for copies of it; empty with DATABASE_URL. */
    dataDir: string;
  }
}

/** One server for the whole run: the embedded one, or the one that DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const databasePrefix = `acp_test_${randomBytes(4).toString('hex')}_`;
  const templateName = `${databasePrefix}template`;
  await queryOnce(server.url, `create database ${templateName}`);
  const templateUrl = databaseUrl(server.url, templateName);
  const servedBy = server.loginUrl === server.url ? undefined : new URL(server.loginUrl).username;
  await migrate(templateUrl, await readSchema(), servedBy);
  project.provide('adminUrl', server.url);
  project.provide('loginUrl', server.loginUrl);
  project.provide('templateName', templateName);
  project.provide('databasePrefix', databasePrefix);
  project.provide('cloneStrategy', server.cloneStrategy);
  project.provide('dataDir', server.dataDir);
  return async () => {
    const left = await queryOnce<{ datname: string }>(
      server.url,
      'select datname from pg_database where starts_with(datname, $1)',
      [databasePrefix],
    );
    // Services that files share leave theirs behind.
    for (const { datname } of left)
      await queryOnce(server.url, `drop database if exists ${datname} with (force)`);
    await server.stop();
  };
}

async function startServer(): Promise<{
  url: string;
  loginUrl: string;
  cloneStrategy: 'file_copy' | 'wal_log';
  dataDir: string;
  stop: () => Promise<void>;
}> {
  const url = process.env.DATABASE_URL;
  if (url) return { url, loginUrl: url, cloneStrategy: 'wal_log', dataDir: '', stop: async () => {} };
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'acp-test-')));
  const dataDir = join(directory, 'migrated');
  await makeDataDir(dataDir);
  await copyDataDir(dataDir, directory);
  const server = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    // A test's data need not survive a crash of the machine.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  return {
    url: server.url,
    loginUrl: server.loginUrl,
    // Without fsync its two checkpoints cost little, and writing the pages to the log as well takes four times the CPU time.
    cloneStrategy: 'file_copy',
    dataDir,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function makeDataDir(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ directory: join(dataDir, 'postgres') });
  await migrate(server.url, await readSchema(), new URL(server.loginUrl).username);
  await server.stop();
}
