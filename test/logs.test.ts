import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

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
    return items.filter(({ line }) => line.includes('"event":"listening"'));
  };
  await expect.poll(listening).toHaveLength(1);
  await server.end('SIGKILL');
  credentials = await server.start(environment);
  const [runtime] = server.runtimes();
  process.kill(runtime?.pid ?? 0, 'SIGKILL');
  await vi.waitFor(async () => expect(await listening()).toHaveLength(2), {
    timeout: 180_000,
    interval: 250,
  });
});
