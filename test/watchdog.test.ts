import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerProcess } from './server-process.ts';

const STALL = join(import.meta.dirname, 'standing-still.mjs');
const PATIENT = { timeout: 180_000, interval: 20 };

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

const start = (WATCHDOG_SECONDS: string) =>
  server.start({ WATCHDOG_SECONDS, NODE_OPTIONS: `--import=${STALL}` });
const isGone = () => vi.waitUntil(() => !existsSync(`/proc/${server.pid}/task`), PATIENT);

it.each([
  ['SIGUSR2', 'loopForEver'],
  ['SIGPIPE', 'matchForEver'],
] as const)('a main thread that stands still (%s) is ended with its stack', async (signal, place) => {
  await start('5');
  process.kill(server.pid, signal);
  await isGone();
  const [, stack = ''] = server.output.split('The main thread has stood still for 5 s (WATCHDOG_SECONDS)');
  expect(stack).toMatch(
    new RegExp(`^, so the process is ended\\. It was\n    at ${place} \\(file://.*standing-still\\.mjs:\\d+`),
  );
});

it('time in which the whole process did not run does not count', async () => {
  const { base_url } = await start('5');
  process.kill(server.pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  await vi.waitUntil(() => performance.now() - stoppedAt > 8000, PATIENT);
  process.kill(server.pid, 'SIGCONT');
  expect((await fetch(`${base_url}/readyz`)).status).toBe(200);
  process.kill(server.pid, 'SIGUSR2');
  await isGone();
  expect(server.output).toContain('    at loopForEver');
});
