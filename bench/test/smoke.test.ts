import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findPostgres } from '../src/postgres.ts';

const MAIN = join(import.meta.dirname, '../dist/main.js');

/** The measurements need the machine's own PostgreSQL. */
function hasPostgres(): boolean {
  try {
    return findPostgres() !== '';
  } catch {
    return false;
  }
}

it.skipIf(!hasPostgres())('measures all contestants, with right answers', async () => {
  const env = { ...process.env, PGSSLMODE: 'require', PGOPTIONS: '-c statement_timeout=1' };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--smoke'], { env });
  expect(stdout).toContain('All answers are right: get, list, create, webhook, mcp, renewals');
  for (const workload of ['get', 'list', 'create', 'webhook']) {
    expect(stdout).toMatch(new RegExp(`${workload} at 2: service [1-9]`));
  }
  expect(stdout).toMatch(/get at 2: bare-fastify [1-9]/);
  expect(stdout).toContain('Deploys with an engine that starts nothing');
});

it('refuses an unknown setting', async () => {
  const run = promisify(execFile)(process.execPath, [MAIN, '--connections', 'many']);
  await expect(run).rejects.toMatchObject({
    stderr: '--connections has to be a whole number from 1 on\n',
  });
});
