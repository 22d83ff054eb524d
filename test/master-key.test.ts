import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Credentials, ServerProcess } from './server-process.ts';

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

const keys = async () =>
  (await readFile(join(server.dataDir, 'master.key'), 'utf8')).split('\n').filter((line) => line !== '');

const rotate = ({ base_url, operations_token }: Credentials) =>
  fetch(`${base_url}/internal/v1/master-key/rotate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operations_token}` },
  });

async function post(
  { base_url, api_key }: Credentials,
  path: string,
  json: unknown,
): Promise<{ id: string }> {
  const headers = { 'x-api-key': api_key, 'content-type': 'application/json' };
  const answer = await fetch(base_url + path, { method: 'POST', headers, body: JSON.stringify(json) });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string };
}

async function keepSecret(credentials: Credentials): Promise<void> {
  const { id } = await post(credentials, '/v1/customers', {
    email: `${randomUUID()}@example.com`,
  });
  await post(credentials, `/v1/customers/${id}/connections`, {
    provider: 'google_drive',
    credentials: { client_secret: 'secret' },
  });
}

it('a server that is killed during a rotation loses nothing, and completes it', async () => {
  const before = await server.start();
  await keepSecret(before);
  const first = await keys();
  const answer = rotate(before).catch(() => undefined);
  await vi.waitFor(async () => expect(await keys()).not.toEqual(first), { timeout: 180_000, interval: 1 });
  await server.end('SIGKILL');
  await answer;

  const after = await server.start();
  const second = await keys();
  expect(second).toHaveLength(1);
  expect(second).not.toEqual(first);
  await keepSecret(after);

  expect(await (await rotate(after)).json()).toEqual({
    tenant_keys: 1,
    ca_keys: 2,
    service_keys: expect.any(Number),
    chain_heads: 2,
    remaining: 0,
  });
  const third = await keys();
  expect(third).toHaveLength(1);
  expect(third).not.toEqual(second);
  await keepSecret(after);
});
