import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryCounter } from '../../src/adapters/counters/memory-counter.ts';
import { joinAsOwner, OWN_PASSWORD, type Pair } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import {
  PASSWORD,
  sharedService,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/service.ts';

interface Session {
  id: string;
  tenant_id: string;
  tenant_name: string;
  is_current: boolean;
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant('Acme');
});

const login = (password: string) =>
  service.anonymous.post<Pair>('/auth/login', { email: tenant.admin_email, password });
const sessions = async (client: Client) =>
  (await client.get<{ items: Session[]; total: number }>('/v1/me/sessions')).body;
const change = (client: Client, current_password: string, new_password = OWN_PASSWORD) =>
  client.patch('/v1/me', { current_password, new_password });

describe('one’s own password', () => {
  it('is changed with the current one, which ends other logins in all tenants', async () => {
    const other = await service.createTenant();
    const client = await joinAsOwner(service, tenant, other);
    const { body } = await client.post<Pair>('/auth/switch-tenant', { tenant_id: other.tenant_id });
    const there = service.anonymous.with({ authorization: `Bearer ${body.access_token}` });
    expect((await there.get('/v1/me')).status).toBe(200);
    const changed = await change(client, OWN_PASSWORD, 'and-another-one-9');
    expect([changed.status, changed.text]).toEqual([204, '']);
    expect([(await client.get('/v1/me')).status, (await there.get('/v1/me')).status]).toEqual([200, 401]);
    expect([(await login(OWN_PASSWORD)).status, (await login('and-another-one-9')).status]).toEqual([
      401, 200,
    ]);
  });

  it('is not changed with a wrong current one (403), which counts as a failed login', async () => {
    const client = await service.login(tenant.admin_email);
    for (let nth = 1; nth <= 10; nth++) expect((await change(client, 'wrong')).status).toBe(403);
    expect((await change(client, PASSWORD)).status).toBe(429);
    expect((await login(PASSWORD)).status).toBe(429);
    expect((await client.get('/v1/me')).status).toBe(200);
  });

  it('is changed by only one of two concurrent requests', async () => {
    const client = await service.login(tenant.admin_email);
    const changes = ['this-is-the-first-7', 'this-is-the-other-8'].map((to) => change(client, PASSWORD, to));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 403]);
  });

  it('obeys the rules of passwords', async () => {
    const client = await service.login(tenant.admin_email);
    for (const [password, type] of [
      ['short', 'string_too_short'],
      ['x'.repeat(201), 'string_too_long'],
      ['1q2w3e4r5t6y', 'value_error'],
      [`${tenant.admin_email}-9`, 'value_error'],
    ] as const) {
      const { status, body } = await change(client, PASSWORD, password);
      expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'new_password'], type }] }]);
    }
  });
});

describe('one’s own sessions', () => {
  it('are listed with their tenants, except ended ones', async () => {
    const client = await service.login(tenant.admin_email);
    const ended = (await login(PASSWORD)).body.refresh_token;
    await service.anonymous.post('/auth/logout', { refresh_token: ended });
    await service.login(tenant.admin_email);
    const { items, total } = await sessions(client);
    expect(total).toBe(2);
    const { tenant_id } = tenant;
    expect(items).toMatchObject([
      { tenant_id, tenant_name: 'Acme', is_current: false },
      { tenant_id, tenant_name: 'Acme', is_current: true },
    ]);
  });

  it('are ended one by one', async () => {
    const [client, other] = [
      await service.login(tenant.admin_email),
      await service.login(tenant.admin_email),
    ];
    const { items } = await sessions(client);
    const id = items.find(({ is_current }) => !is_current)?.id;
    expect((await client.delete(`/v1/me/sessions/${id}`)).status).toBe(204);
    expect([(await other.get('/v1/me')).status, (await client.get('/v1/me')).status]).toEqual([401, 200]);
    const gone = await client.delete(`/v1/me/sessions/${id}`);
    expect([gone.status, gone.text]).toEqual([
      404,
      (await client.delete(`/v1/me/sessions/${randomUUID()}`)).text,
    ]);
  });
});

it('a login and the sessions from it share 3,000 requests per minute', async () => {
  const counter = new MemoryCounter();
  const own = await startTestService({ counter, runsJobs: false });
  onTestFinished(() => own.stop());
  const { admin_email, tenant_id } = await own.createTenant();
  const client = await own.login(admin_email);
  const counted = vi.spyOn(counter, 'count');
  const { headers } = await client.get('/v1/me');
  const [key = '', seconds = 0] = counted.mock.lastCall ?? [];
  counted.mockRestore();
  expect(headers.get('x-ratelimit-limit')).toBe('3000');
  expect(headers.get('x-ratelimit-remaining')).toBe('2999');
  expect(headers.get('ratelimit-policy')).toBe('"login";q=3000;w=60');
  const switched = await client.post<Pair>('/auth/switch-tenant', { tenant_id });
  const child = own.anonymous.with({ authorization: `Bearer ${switched.body.access_token}` });
  for (let left = 2997; left >= 10; left--) await counter.count(key, seconds);
  for (let left = 9; left >= 0; left--) {
    const { status, headers } = await (left % 2 ? client : child).get('/v1/tiers');
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
  }
  for (const refused of [await client.get('/v1/me'), await child.get('/v1/me')]) {
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await (await own.login(admin_email)).get('/v1/me')).status).toBe(200);
});
