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
    adminUrl: string;
    /** The services' login; the same as `adminUrl` with DATABASE_URL. */
    loginUrl: string;
    /** A migrated database that test files clone. */
    templateName: string;
    /** Begins the names of the run's databases. */
    databasePrefix: string;
    cloneStrategy: 'file_copy' | 'wal_log';
    /** A migrated embedded database to copy; empty with DATABASE_URL. */
    dataDir: string;
  }
}

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
    // Shared services leave theirs behind.
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
    // Test data need not survive a crash of the machine.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  return {
    url: server.url,
    loginUrl: server.loginUrl,
    // Without fsync, the two checkpoints are cheap. Logging the pages costs four times the CPU.
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
