import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerProcess } from './server-process.ts';

const FAIL = join(import.meta.dirname, 'failing.mjs');
const PATIENT = { timeout: 180_000, interval: 20 };

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

it.each([
  ['SIGUSR2', 'unhandledRejection'],
  ['SIGPIPE', 'uncaughtException'],
] as const)(
  'an error that nothing catches (%s) is a line of the log, and ends the service',
  async (signal, origin) => {
    await server.start({ NODE_OPTIONS: `--import=${FAIL}` });
    process.kill(server.pid, signal);
    await vi.waitUntil(() => !existsSync(`/proc/${server.pid}/task`), PATIENT);
    const lines = server.output.split('\n').filter((line) => line.includes('nothing expected this error'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ origin, err: { message: 'on purpose' } });
  },
);
