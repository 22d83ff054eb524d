import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { deploy, until } from './instances.ts';
import { ServerProcess } from './server-process.ts';

/** `npm run bench -- --workloads takeovers` does it with a hundred. */
const INSTANCES = 3;
/** Some looks at the memory of each runtime. */
const WINDOW_MS = 6000;
const TICKS_PER_S = 100;

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

/** The main process's own CPU time. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1000;
}

async function watch(): Promise<{ cpu_ms: number; most_files: number }> {
  const [began, cpu] = [performance.now(), cpuMs()];
  let most_files = 0;
  await vi.waitUntil(
    () => {
      most_files = Math.max(most_files, readdirSync(`/proc/${server.pid}/fd`).length);
      return performance.now() - began > WINDOW_MS;
    },
    { timeout: 180_000, interval: 20 },
  );
  return { cpu_ms: cpuMs() - cpu, most_files };
}

it('a service that takes runtimes over after a kill works no more than one that started them', async () => {
  const environment = { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) };
  const before = await server.start(environment);
  for (let count = 0; count < INSTANCES; count++) {
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
  }
  const runtimes = server.runtimes();
  const first = await watch();
  await server.end('SIGKILL');
  const after = await server.start(environment);
  const second = await watch();
  expect(server.runtimes()).toEqual(runtimes);
  expect(second.most_files).toBeLessThan(first.most_files + 30);
  // Its code is not compiled yet.
  expect(second.cpu_ms).toBeLessThan(first.cpu_ms + 1500);
  const { instance_id } = await deploy(after);
  await until(after, instance_id, 'running');
});
