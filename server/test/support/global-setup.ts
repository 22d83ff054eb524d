import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/launcher.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { databaseUrl, queryOnce } from './connection.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where databases can be made. */
    adminUrl: string;
    /** The login that services use; the same where DATABASE_URL names the server. */
    loginUrl: string;
    /** A migrated database that test files clone. */
    templateName: string;
    /** How it is cloned for least there. */
    cloneStrategy: 'file_copy' | 'wal_log';
  }
}

/** One server for the whole run: the embedded one, or the one that DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const templateName = `acp_template_${randomBytes(6).toString('hex')}`;
  await queryOnce(server.url, `create database ${templateName}`);
  const templateUrl = databaseUrl(server.url, templateName);
  const servedBy = server.loginUrl === server.url ? undefined : new URL(server.loginUrl).username;
  await migrate(templateUrl, await readMigrations(), servedBy);
  project.provide('adminUrl', server.url);
  project.provide('loginUrl', server.loginUrl);
  project.provide('templateName', templateName);
  project.provide('cloneStrategy', server.cloneStrategy);
  return async () => {
    await queryOnce(server.url, `drop database if exists ${templateName} with (force)`);
    await server.stop();
  };
}

async function startServer(): Promise<{
  url: string;
  loginUrl: string;
  cloneStrategy: 'file_copy' | 'wal_log';
  stop: () => Promise<void>;
}> {
  const url = process.env.DATABASE_URL;
  if (url) return { url, loginUrl: url, cloneStrategy: 'wal_log', stop: async () => {} };
  const directory = await mkdtemp(join(tmpdir(), 'acp-test-'));
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
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
