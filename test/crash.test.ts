import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { call, deploy, until } from './instances.ts';
import { ServerProcess } from './server-process.ts';

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

describe('a server that is killed', () => {
  it('resumes a provisioning task, and starts nothing twice', async () => {
    const before = await server.start();
    const { instance_id } = await deploy(before);
    await vi.waitFor(() => expect(server.runtimes().length).toBeGreaterThan(0), {
      timeout: 180_000,
      interval: 2,
    });
    await server.end('SIGKILL');
    const after = await server.start();
    await until(after, instance_id, 'running');
    // If the first server got that far, the runtime keeps its address and is restarted.
    await vi.waitFor(
      () => expect(server.runtimes().map((runtime) => runtime.instance_id)).toEqual([instance_id]),
      { timeout: 180_000, interval: 50 },
    );
    const { items } = await call<{ items: { to: string; from: string }[] }>(
      after,
      'GET',
      `/v1/instances/${instance_id}/events?per_page=100`,
    );
    const moves = items.toReversed().filter(({ from, to }) => from !== to);
    expect(moves.map(({ to }) => to)).toEqual(['pending', 'provisioning', 'running']);
  });

  it('finds its running runtimes again, and restarts one that dies', async () => {
    // Runtimes know these addresses, so the server must keep them.
    const environment = { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) };
    const before = await server.start(environment);
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
    const [first] = server.runtimes();
    await server.end('SIGKILL');
    expect(server.runtimes()).toEqual([first]);
    const after = await server.start(environment);
    await until(after, instance_id, 'running');
    expect(server.runtimes()).toEqual([first]);
    process.kill(first?.pid ?? expect.unreachable(), 'SIGKILL');
    await vi.waitFor(
      () => {
        const [second, ...others] = server.runtimes();
        expect(others).toEqual([]);
        expect(second?.instance_id).toBe(instance_id);
        expect(second?.pid).not.toBe(first?.pid);
      },
      { timeout: 180_000, interval: 50 },
    );
    await call(after, 'POST', `/v1/instances/${instance_id}/stop`);
    await until(after, instance_id, 'stopped');
    expect(server.runtimes()).toEqual([]);
  });
});

describe('a server whose embedded database is killed', () => {
  it('has it again within seconds, and goes on', async () => {
    const credentials = await server.start();
    const { instance_id } = await deploy(credentials);
    await until(credentials, instance_id, 'running');
    const pidFile = join(server.dataDir, 'postgres/postmaster.pid');
    const [postmaster = ''] = (await readFile(pidFile, 'utf8')).split('\n');
    const runtimes = server.runtimes();
    process.kill(Number(postmaster), 'SIGKILL');
    await vi.waitFor(
      async () => {
        expect((await readFile(pidFile, 'utf8')).split('\n')[0]).not.toBe(postmaster);
        expect(await fetch(`${credentials.base_url}/readyz`)).toMatchObject({ status: 200 });
      },
      { timeout: 180_000, interval: 50 },
    );
    expect(await call(credentials, 'GET', '/v1/recipes')).toHaveLength(6);
    expect(server.runtimes()).toEqual(runtimes);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

describe('a server that is asked to stop', () => {
  it('exits with 0 and leaves nothing behind; the next one restarts its instances', async () => {
    const before = await server.start();
    const { instance_id } = await deploy(before);
    await until(before, instance_id, 'running');
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.runtimes()).toEqual([]);
    await server.start();
    await vi.waitFor(() => expect(server.runtimes().length).toBe(1), { timeout: 180_000, interval: 50 });
  });

  it('keeps its credentials, and refuses a directory that is in use', async () => {
    const before = await server.start();
    await expect(ServerProcess.in(server.dataDir).start()).rejects.toThrow(/in use/);
    const { base_url: _old, ...kept } = before;
    expect(await call(before, 'GET', '/v1/recipes')).toHaveLength(5);
    expect(kept).toMatchObject({
      mtls_url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      tenant_id: expect.any(String),
      api_key: expect.stringMatching(/^acp_/),
    });
  });
});

describe('a server whose credentials.json is gone', () => {
  it('writes only credentials that still work', async () => {
    const before = await server.start();
    await server.end('SIGTERM');
    await rm(join(server.dataDir, 'credentials.json'));
    const after = await server.start();
    expect(after).toMatchObject({ tenant_id: null, admin: null, api_key: null });
    const headers = { authorization: `Bearer ${after.operations_token}` };
    expect(await fetch(`${after.base_url}/internal/v1/tenants`, { headers })).toMatchObject({ status: 200 });
    expect(await call({ ...before, base_url: after.base_url }, 'GET', '/v1/recipes')).toHaveLength(5);
  });

  it('keeps new credentials after a failed start', async () => {
    await server.start();
    await server.end('SIGTERM');
    await rm(join(server.dataDir, 'credentials.json'));
    await server.start();
    await server.end('SIGTERM');
    await rm(join(server.dataDir, 'postgres'), { recursive: true });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(server.start({ PORT: String(port) })).rejects.toThrow('PORT');
    other.close();
    const credentials = await server.start();
    expect(await call(credentials, 'GET', '/v1/recipes')).toHaveLength(5);
  });

  it('names an invalid file in one line', async () => {
    const path = join(server.dataDir, 'credentials.json');
    await writeFile(path, '{');
    await expect(server.start()).rejects.toThrow(`The server ended with 1: ${path} is not valid JSON`);
  });
});

describe('settings', () => {
  it.each([
    [{ PORT: 'abc' }, /^The server ended with 1: PORT /],
    [{ DATABASE_URL: 'postgres://x' }, /^The server ended with 1: MASTER_KEY /],
    [{ ROLE: 'boss' }, /^The server ended with 1: ROLE /],
    [{ DATA_DIR: '/dev/null' }, /^The server ended with 1: DATA_DIR /],
    [{ DATA_DIR: '/proc' }, /^The server ended with 1: DATA_DIR /],
    [{ HOST: '192.0.2.1' }, /^The server ended with 1: HOST and PORT /],
  ])('stop the start with one line: %j', async (environment, message) => {
    const error = await server.start(environment).catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['PORT', 'HOST'],
    ['MTLS_PORT', 'MTLS_HOST'],
  ])('stop the start with one line when %s is in use', async (name, host) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const environment = { [name]: String((other.address() as AddressInfo).port) };
    await expect(server.start(environment)).rejects.toThrow(
      new RegExp(`^The server ended with 1: ${host} and ${name} .*\\n$`),
    );
    other.close();
  });
});
