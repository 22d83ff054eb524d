import { beforeAll, describe, expect, it, vi } from 'vitest';
import { redactLines, storeEngineOutput } from '../../src/logs/instance-logs.ts';
import { redactorOf } from '../../src/logs/log-redactors.ts';
import { mintApiKey } from '../../src/secrets/secret-formats.ts';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
});

interface Line {
  id: number;
  line: string;
}

const send = (instance_id: string, lines: unknown) =>
  service.operations.post<{ kept: number }>(`/internal/v1/instances/${instance_id}/logs`, { lines });

const read = async (instance_id: string, query = '') =>
  (await tenant.api.get<{ items: Line[] }>(`/v1/instances/${instance_id}/logs${query}`)).body.items.map(
    ({ line }) => line,
  );

describe('the lines of a runtime', () => {
  it('return in order', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    expect(await send(id, ['one', 'two'])).toMatchObject({ status: 201, body: { kept: 2 } });
    await send(id, ['three', '']);
    expect(await read(id)).toEqual(['one', 'two', 'three', '']);
    expect(await read(id, '?tail=2')).toEqual(['three', '']);
    expect((await tenant.api.get(`/v1/instances/${id}/logs?tail=1001`)).status).toBe(422);
  });

  it('are at most 1,000 after concurrent requests', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const many = Array.from({ length: 400 }, (_, index) => `line ${index}`);
    await Promise.all([1, 2, 3, 4].map(() => send(id, many)));
    const rows = await service.database.query('select from instance_logs where instance_id = $1', [id]);
    expect(rows).toHaveLength(1000);
    expect(
      (
        await send(
          id,
          Array.from({ length: 1001 }, () => 'x'),
        )
      ).status,
    ).toBe(422);
  });

  it('are deleted after a day', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    await send(id, ['old', 'new']);
    await service.database.query(
      `update instance_logs set at = now() - interval '25 hours' where instance_id = $1 and line = 'old'`,
      [id],
    );
    expect(await read(id)).toEqual(['new']);
  });

  it('are stored without secrets', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    await tenant.api.post(`/v1/customers/${instance.customer_id}/connections`, {
      provider: 'crm',
      credentials: {
        token: 'a token of nobody’s form',
        nested: { key: 'first line of it\nsecond line of it\n' },
      },
    });
    const minted = await tenant.api.post<{ proxy_key: string }>(`/v1/instances/${instance.id}/proxy-key`);
    const { key } = mintApiKey();
    await send(instance.id, [
      `got {"token":"a token of nobody’s form"}`,
      `key ${minted.body.proxy_key}`,
      `service key ${key}`,
      'message-secret is mine',
      'x second line of it y',
      '-----BEGIN PRIVATE KEY-----',
      'MIGHAgEAMBMG',
      '-----END PRIVATE KEY-----',
      'enrolled with aet_0123456789abcdefghijklmnopqrstuvwxyzABCDEF0',
      'nothing secret here',
    ]);
    expect(await read(instance.id)).toEqual([
      'got {"token":"[credential]"}',
      'key [api_key]',
      'service key [api_key]',
      '[secret] is mine',
      'x [credential] y',
      '[credential]',
      '[credential]',
      '[credential]',
      'enrolled with [secret]',
      'nothing secret here',
    ]);
  });

  it('are cut off and stored with any content', () => {
    const [long = '', odd] = redactLines(['x'.repeat(5000), 'a\0b'], redactorOf([]));
    expect(long).toHaveLength(4000);
    expect(odd).toBe('a\uFFFDb');
  });

  it('are searched for a secret from its change on, and the search is kept until the next one', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const path = `/v1/customers/${instance.customer_id}/connections`;
    const line = 'one-secret-word, another-secret-word';
    await send(instance.id, [line]);
    const made = await tenant.api.post<{ id: string }>(path, {
      provider: 'crm',
      credentials: { token: 'one-secret-word' },
    });
    await send(instance.id, [line]);
    await tenant.api.patch(`${path}/${made.body.id}`, { credentials: { token: 'another-secret-word' } });
    await send(instance.id, [line]);
    expect(await read(instance.id)).toEqual([
      line,
      '[credential], another-secret-word',
      'one-secret-word, [credential]',
    ]);
    const { keyring, db, logRedactors } = service.service.services;
    const opens = vi.spyOn(keyring, 'open');
    const q = db.tenant(tenant.tenant_id);
    const redactor = await logRedactors.of(q, instance.id);
    expect(await logRedactors.of(q, instance.id)).toBe(redactor);
    // The service works for other tenants meanwhile.
    expect(opens.mock.calls.filter(([by]) => by.tenant_id === tenant.tenant_id)).toEqual([]);
    opens.mockRestore();
  });

  it('are withheld where the secrets from before the bounds are too many to search for', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    await service.database.query(
      `insert into connections (tenant_id, customer_id, provider, sealed_credentials)
       select $1, $2, 'crm', convert_to(repeat('x', 1000000), 'UTF8') from generate_series(1, 5)`,
      [tenant.tenant_id, instance.customer_id],
    );
    expect((await send(instance.id, ['a line'])).status).toBe(201);
    expect(await read(instance.id)).toEqual([expect.stringMatching(/^\(withheld: /)]);
  });

  it('have 1 MiB a minute: more is 429, and output of a process is left out', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const large = ['x'.repeat(600 * 1024)];
    expect((await send(id, large)).status).toBe(201);
    const refused = await send(id, large);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { id: other } = await insertInstance(service, tenant.tenant_id);
    const { services } = service.service;
    for (const lines of [large, large, ['more']]) await storeEngineOutput(services, other, lines);
    expect((await read(other)).map((line) => line.slice(0, 20))).toEqual([
      'xxxxxxxxxxxxxxxxxxxx',
      '(lines left out: An ',
    ]);
  });

  it('are visible only to admins with the scope', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const other = await service.createTenant();
    expect((await other.api.get(`/v1/instances/${id}/logs`)).status).toBe(404);
  });
});

it('can be followed live', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id);
  await send(id, ['one', 'two']);
  const end = new AbortController();
  const response = await fetch(`${service.base_url}/v1/instances/${id}/logs?tail=1`, {
    headers: { ...tenant.api.headers, accept: 'text/event-stream' },
    signal: end.signal,
  });
  const reader = (response.body ?? expect.unreachable()).pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  const until = async (text: string) => {
    while (!seen.includes(text)) seen += (await reader.read()).value ?? '';
  };
  await until('"line":"two"');
  await send(id, ['three']);
  await until('"line":"three"');
  expect(seen).not.toContain('"line":"one"');
  end.abort();
});
