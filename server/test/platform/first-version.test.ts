import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Argon2Hasher } from '../../src/adapters/argon2-hasher.ts';
import type { Client } from '../support/client.ts';
import { queryOnce } from '../support/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';

// A filled database of the first version works with today's service.

const FIXTURE = join(import.meta.dirname, '../fixtures/first-version.sql.gz');
const MASTER_KEY = Buffer.from('fixture-master-key-of-32-bytes!!');
const API_KEY = 'acp_2Dcq1dfT_T8ZHZB2j0uReguiLRnbJ1Zms67tMCTeGWyZPhq8jAKY';
const CUSTOMER = '65ad2f45-e10e-4175-a3c2-5b344d0fed3d';
const RECIPE = '2cf1f089-7924-4636-acaf-b0eb8bb72480';
const LARGE_RECIPE = '06355d5a-6830-487a-85de-cf4782885dc2';
const STOPPED = 'a8bc3ef3-31af-453e-aa93-8635f0078594';
const SHARED = '7516a57d-3a37-488a-a3e9-211ebe259870';
/** At this time the dump's messages are minutes old: they still wait. */
const TIME_OF_DUMP = Date.parse('2026-11-26T19:58:00Z');

let service: TestService;
let api: Client;

beforeAll(async () => {
  const database = await createTestDatabase('template1');
  await queryOnce(database.url, gunzipSync(await readFile(FIXTURE)).toString());
  const started = Date.now();
  service = await startTestService({
    database,
    master_key: MASTER_KEY,
    hasher: new Argon2Hasher(),
    clock: () => new Date(TIME_OF_DUMP + Date.now() - started),
  });
  api = service.anonymous.with({ 'x-api-key': API_KEY });
});
afterAll(() => service.stop());

const items = async (path: string) => (await api.get<{ items: Record<string, unknown>[] }>(path)).body.items;

it('accepts the admin and the key, and has the record of tool calls', async () => {
  const admin = await service.login('admin@fixture.test', 'fixture-password');
  expect((await admin.get('/v1/me')).body).toMatchObject({ tenant: { name: 'Fixture' }, role: 'admin' });
  expect((await api.get('/v1/audit/tool-calls/verification')).body).toMatchObject({
    valid: true,
    checked: 1,
  });
});

it('has the customer with all its resources', async () => {
  const customer = (await api.get(`/v1/customers/${CUSTOMER}`)).body;
  expect(customer).toMatchObject({
    company_name: 'Harbour',
    timezone: 'Australia/Brisbane',
    instance_count: 2,
  });
  const path = `/v1/customers/${CUSTOMER}`;
  expect((await api.get(`${path}/rules`)).body).toEqual({ instructions: ['Be brief'] });
  expect((await api.get(`${path}/config`)).body).toEqual({ greeting: 'hi' });
  expect((await api.get(`${path}/pin`)).body).toMatchObject({ has_pin: true, is_active: true });
  const lists = ['connections', 'identities', 'websites', 'subscriptions', 'shifts'];
  const counts = await Promise.all(lists.map(async (list) => (await items(`${path}/${list}`)).length));
  expect(counts).toEqual([1, 1, 1, 1, 1]);
});

it('finds staff by recorded attributes', async () => {
  const admin = await service.login('admin@fixture.test', 'fixture-password');
  const found = await admin.get<{ staff: { name: string }[] }>(
    `/v1/customers/${CUSTOMER}/staff?skills=forklift`,
  );
  expect(found.body.staff.map(({ name }) => name)).toEqual(['Ana Silva']);
});

it('has recipes and revisions, and composes one that is too large today', async () => {
  const revisions = await items(`/v1/recipes/${RECIPE}/revisions`);
  expect(revisions.map(({ revision }) => revision)).toEqual([2, 1]);
  const large = await api.post('/v1/recipes/compose', { recipe_id: LARGE_RECIPE });
  expect(large.status).toBe(200);
  expect(large.text.length).toBeGreaterThan(900_000);
});

it('counts existing rows towards limits', async () => {
  const path = '/internal/v1/tenants';
  const [tenant] = (await service.operations.get<{ items: { id: string }[] }>(path)).body.items;
  const { total: customers } = (await api.get<{ total: number }>('/v1/customers')).body;
  const { total: keys } = (await api.get<{ total: number }>('/v1/api-keys')).body;
  const admin = await service.login('admin@fixture.test', 'fixture-password');
  const staff = (await admin.get<{ total: number }>(`/v1/customers/${CUSTOMER}/staff`)).body.total;
  const limits = { customers: customers + 1, keys: keys + 1, staff: staff + 1 };
  expect((await service.operations.patch(`${path}/${tenant?.id}`, { limits })).status).toBe(200);
  const add = async () => {
    const person = { staff: [{ name: 'Ada' }] };
    const imported = await admin.post<{ created: number }>(`/v1/customers/${CUSTOMER}/staff/import`, person);
    return [
      (await api.post('/v1/customers', { email: `${randomUUID()}@example.com` })).status,
      (await api.post('/v1/api-keys', { name: 'Key', scopes: [] })).status,
      imported.body.created,
    ];
  };
  expect([await add(), await add()]).toEqual([
    [201, 201, 1],
    [403, 403, 0],
  ]);
});

it('takes over the running instance and starts the stopped one', async () => {
  await vi.waitFor(() => expect(service.engine.started).toContain(SHARED), { timeout: 60_000 });
  expect((await api.post(`/v1/instances/${STOPPED}/start`)).status).toBe(202);
  await vi.waitFor(
    async () => expect((await api.get(`/v1/instances/${STOPPED}`)).body).toMatchObject({ status: 'running' }),
    { timeout: 60_000, interval: 50 },
  );
  const proxy_key = (await api.post<{ proxy_key: string }>(`/v1/instances/${STOPPED}/proxy-key`)).body
    .proxy_key;
  const runtime = service.anonymous.with({ authorization: `Bearer ${proxy_key}` });
  const verified = await runtime.post(`/internal/v1/instances/${STOPPED}/pin/verify`, { pin: '4711' });
  expect(verified.body).toMatchObject({ verified: true });
  // The connection's credentials could be decrypted: the runtime has them.
  expect(JSON.stringify(service.runtimes.secrets)).toContain('fixture-token');
});

const ids = () => service.runtimes.messages.map(({ message }) => message.message_id);

it('forwards waiting messages in order', async () => {
  await vi.waitFor(() => expect(ids()).toHaveLength(3), { timeout: 60_000, interval: 50 });
  expect(ids()).toEqual(['wamid.fixture1', 'wamid.fixture2', 'wamid.fixture3']);
});
