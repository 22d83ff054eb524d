import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const WAIT = { timeout: 180_000, interval: 250 };

let server: ServerProcess;
let credentials: Credentials;
beforeAll(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterAll(() => server.remove());

it('keeps the output of a runtime, once, even when the service is killed', async () => {
  const environment = { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) };
  credentials = await server.start(environment);
  const { instance_id } = await deploy(credentials);
  await until(credentials, instance_id, 'running');
  const listening = async () => {
    const path = `/v1/instances/${instance_id}/logs`;
    const { items } = await call<{ items: { line: string }[] }>(credentials, 'GET', path);
    return items.map(({ line }) => line).filter((line) => line.includes('"event":"listening"'));
  };
  const heard = await vi.waitFor(async () => {
    const lines = await listening();
    expect(lines).not.toEqual([]);
    return lines;
  }, WAIT);
  await server.end('SIGKILL');
  credentials = await server.start(environment);
  const [runtime] = await vi.waitFor(() => {
    const found = server.runtimes();
    expect(found).toHaveLength(1);
    return found;
  }, WAIT);
  process.kill(runtime?.pid ?? expect.unreachable(), 'SIGKILL');
  const lines = await vi.waitFor(async () => {
    const all = await listening();
    expect(all.length).toBeGreaterThan(heard.length);
    return all;
  }, WAIT);
  // A slow machine may start it more than twice; each start has its own moment.
  expect(lines).toEqual(expect.arrayContaining(heard));
  expect(new Set(lines).size).toBe(lines.length);
});
