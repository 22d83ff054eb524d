import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Credentials, ServerProcess } from './server-process.ts';

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

type Json = Record<string, unknown>;

async function call<T = Json>(
  { base_url, api_key }: Credentials,
  method: string,
  path: string,
  json?: unknown,
): Promise<T> {
  const response = await fetch(base_url + path, {
    method,
    headers: { 'x-api-key': api_key, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

async function deploy(credentials: Credentials): Promise<{ instance_id: string; task_id: string }> {
  const { id: customer_id } = await call<{ id: string }>(credentials, 'POST', '/v1/customers', {
    email: `${randomUUID()}@example.com`,
  });
  const { id: recipe_id } = await call<{ id: string }>(credentials, 'POST', '/v1/recipes', { name: 'R' });
  const tiers = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/tiers');
  const regions = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/regions');
  return call(credentials, 'POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    tier_id: tiers.items[0]?.id,
    region_id: regions.items[0]?.id,
    hostname: 'agent.example.com',
  });
}

const until = (credentials: Credentials, instance_id: string, status: string) =>
  vi.waitFor(
    async () => {
      const instance = await call(credentials, 'GET', `/v1/instances/${instance_id}`);
      expect(instance.status).toBe(status);
    },
    { timeout: 60_000, interval: 100 },
  );

describe('a server that is killed', () => {
  it('goes on with a provisioning that was at work, and starts nothing twice', async () => {
    const before = await server.start();
    const { instance_id } = await deploy(before);
    await vi.waitFor(() => expect(server.runtimes().length).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 2,
    });
    await server.end('SIGKILL');
    const after = await server.start();
    await until(after, instance_id, 'running');
    expect(server.runtimes().map((runtime) => runtime.instance_id)).toEqual([instance_id]);
    const { items } = await call<{ items: { to: string; from: string }[] }>(
      after,
      'GET',
      `/v1/instances/${instance_id}/events?per_page=100`,
    );
    const moves = items.toReversed().filter(({ from, to }) => from !== to);
    expect(moves.map(({ to }) => to)).toEqual(['pending', 'provisioning', 'running']);
  }, 120_000);

  it('finds its running runtimes again, and restarts one that dies', async () => {
    // They go on only where the server has the address that they know.
    const environment = { PORT: String(await freePort()) };
    const before = await server.start(environment);
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
    const [first] = server.runtimes();
    await server.end('SIGKILL');
    expect(server.runtimes()).toEqual([first]);
    const after = await server.start(environment);
    await until(after, instance_id, 'running');
    expect(server.runtimes()).toEqual([first]);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    await vi.waitFor(
      () => {
        const [second, ...others] = server.runtimes();
        expect(others).toEqual([]);
        expect(second?.instance_id).toBe(instance_id);
        expect(second?.pid).not.toBe(first?.pid);
      },
      { timeout: 20_000, interval: 50 },
    );
    await call(after, 'POST', `/v1/instances/${instance_id}/stop`);
    await until(after, instance_id, 'stopped');
    expect(server.runtimes()).toEqual([]);
  }, 120_000);
});

describe('a server that is asked to stop', () => {
  it('exits with 0 and leaves nothing behind; the next one runs its instances again', async () => {
    const before = await server.start();
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.runtimes()).toEqual([]);
    await server.start();
    await vi.waitFor(() => expect(server.runtimes().length).toBe(1), { timeout: 20_000, interval: 50 });
  }, 120_000);

  it('keeps its credentials, and refuses a directory that is in use', async () => {
    const before = await server.start();
    await expect(server.start()).rejects.toThrow(/in use/);
    const { base_url: _old, ...kept } = before;
    expect(await call(before, 'GET', '/v1/recipes')).toHaveLength(1);
    expect(kept).toMatchObject({ tenant_id: expect.any(String), api_key: expect.stringMatching(/^acp_/) });
    process.kill(Number((await findServer(server.dataDir)) ?? 0), 'SIGTERM');
  }, 60_000);
});

describe('settings', () => {
  it.each([
    [{ PORT: 'abc' }, /^The server ended with 1: PORT /],
    [{ DATABASE_URL: 'postgres://x' }, /^The server ended with 1: MASTER_KEY /],
    [{ ROLE: 'boss' }, /^The server ended with 1: ROLE /],
  ])('stop the start with one line: %j', async (environment, message) => {
    const error = await server.start(environment).catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message.trim().split('\n')).toHaveLength(1);
  });
});

/** The first server of the directory, which `start` of a second one has put out of sight. */
async function findServer(dataDir: string): Promise<string | undefined> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`DATA_DIR=${dataDir}`) && command.includes('server/dist/main.js'))
      return name;
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
