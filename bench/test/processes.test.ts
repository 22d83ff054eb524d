import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Process } from '../src/processes.ts';

/** Every program here loads it anyway. */
const LIBRARY = 'libc.so.6';

test('a measured process gets PATH and LD_PRELOAD alone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'acp-bench-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('LD_PRELOAD', LIBRARY);
  vi.stubEnv('PGHOST', 'elsewhere');
  const log = join(directory, 'log');
  const program = new Process({
    command: process.execPath,
    args: ['-e', 'console.log(JSON.stringify(process.env)); setInterval(() => {}, 1000)'],
    environment: { PORT: '1' },
    log,
  });
  onTestFinished(() => program.stop());
  await program.ready(async () => (await readFile(log, 'utf8')).endsWith('\n'));
  expect(JSON.parse(await readFile(log, 'utf8'))).toEqual({
    PATH: process.env.PATH,
    LD_PRELOAD: LIBRARY,
    PORT: '1',
  });
});
