import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listConnectionStates } from '../../src/connections/connections.db.ts';
import { connectionContext } from '../../src/connections/connections.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

interface Connection {
  id: string;
  provider: string;
  expires_at: string | null;
}

let service: TestService;
let tenant: TestTenant;
let customer_id: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  customer_id = await createCustomer(tenant, { company_name: 'Acme Ltd' });
  path = `/v1/customers/${customer_id}/connections`;
});
afterAll(() => service.stop());

async function create(connection: object): Promise<Connection> {
  const { status, body } = await tenant.api.post<Connection>(path, { credentials: {}, ...connection });
  expect(status).toBe(201);
  return body;
}
const q = () => service.service.services.db.tenant(tenant.tenant_id);

/** null after a revocation. */
async function sealedCredentials(id: string): Promise<Buffer | null> {
  const rows = await service.database.query('select sealed_credentials from connections where id = $1', [id]);
  expect(rows).toHaveLength(1);
  return (rows[0] as { sealed_credentials: Buffer | null }).sealed_credentials;
}

describe('create', () => {
  it('seals the credentials and does not return them', async () => {
    const credentials = { client_secret: 'hunter2-ü', nested: { refresh_token: '1//x' } };
    const request = { provider: 'google_drive', name: 'Main', expires_at: '2999-01-01T00:00:00.000Z' };
    const answer = await tenant.api.post<Connection>(path, { ...request, credentials });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...request,
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id,
      customer_name: 'Acme Ltd',
      status: 'active',
      last_error: null,
      allowed_hosts: [],
      created_at: expect.any(String),
    });
    expect((await tenant.api.get(path)).body).toEqual({
      items: [answer.body],
      page: 1,
      per_page: 20,
      total: 1,
    });
    const bytes = await sealedCredentials(answer.body.id);
    if (!bytes) throw new Error('The connection was not kept');
    expect(bytes.toString('latin1')).not.toContain('hunter2');
    const { keyring } = service.service.services;
    const open = (id: string) => keyring.open(q(), bytes, connectionContext(id));
    expect(JSON.parse(await open(answer.body.id))).toEqual(credentials);
    await expect(open(randomUUID())).rejects.toThrow();
  });

  it('refuses malformed credentials without quoting them', async () => {
    const { status, text } = await tenant.api.post(path, { provider: 'crm', credentials: 'hunter2' });
    expect(status).toBe(422);
    expect(text).toContain('dict_type');
    expect(text).not.toContain('hunter2');
  });
});

describe('list', () => {
  it('pages the customer’s connections and shows which have expired', async () => {
    const one = await create({ provider: 'filesystem', name: null });
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const two = await create({ provider: 'google_drive', expires_at });
    expect((await tenant.api.get(path)).body).toMatchObject({
      items: [
        { id: two.id, status: 'active', expires_at },
        { id: one.id, status: 'active', expires_at: null },
      ],
    });
    service.clock.advance(60_001);
    expect((await tenant.api.get(`${path}?per_page=1`)).body).toMatchObject({
      items: [{ id: two.id, status: 'expired' }],
      total: 2,
    });
    expect((await tenant.api.get(`${path}?per_page=1&page=4`)).body).toMatchObject({ items: [], total: 2 });
    expect(await create({ provider: 'x', expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 'expired',
    });
    const other = await createCustomer(tenant);
    expect((await tenant.api.get(`/v1/customers/${other}/connections`)).body).toMatchObject({ total: 0 });
  });
});

describe('delete', () => {
  it('deletes the credentials but keeps the state', async () => {
    const kept = await create({ provider: 'filesystem', credentials: { root: 'a' } });
    const { id } = await create({ provider: 'google_drive', name: 'Main', credentials: { secret: 's' } });
    const other = await createCustomer(tenant);
    const foreign = await tenant.api.delete(`/v1/customers/${other}/connections/${id}`);
    expect(foreign).toMatchObject({ status: 404, text: '{"detail":"Connection not found"}' });

    expect((await tenant.api.delete(`${path}/${id}`)).status).toBe(204);
    expect((await tenant.api.delete(`${path}/${id}`)).text).toBe(foreign.text);
    expect((await tenant.api.get(path)).body).toMatchObject({ items: [{ id: kept.id }], total: 1 });
    expect(await q().run(listConnectionStates(customer_id))).toEqual([
      { provider: 'filesystem', name: null, status: 'active' },
      { provider: 'google_drive', name: 'Main', status: 'revoked' },
    ]);
    expect(await sealedCredentials(kept.id)).toBeInstanceOf(Buffer);
    expect(await sealedCredentials(id)).toBeNull();
  });

  it('succeeds once', async () => {
    const { id } = await create({ provider: 'x' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.api.delete(`${path}/${id}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});

const change = (id: string, changes: object) => tenant.api.patch(`${path}/${id}`, changes);
const credentialsOf = async (id: string) => {
  const sealed = (await sealedCredentials(id)) ?? expect.unreachable();
  return service.service.services.keyring.open(q(), sealed, connectionContext(id));
};

describe('change', () => {
  const expires_at = '2999-01-01T00:00:00.000Z';
  it('reads null hosts as none', async () => {
    const made = await tenant.api.post<Connection>(path, {
      provider: 'crm',
      credentials: {},
      allowed_hosts: null,
    });
    expect(made).toMatchObject({ status: 201, body: { allowed_hosts: [] } });
    const { id } = made.body;
    expect((await change(id, { allowed_hosts: ['mcp.example.com'] })).status).toBe(200);
    expect((await change(id, { name: 'Main' })).body).toMatchObject({ allowed_hosts: ['mcp.example.com'] });
    expect(await change(id, { allowed_hosts: null })).toMatchObject({
      status: 200,
      body: { allowed_hosts: [] },
    });
  });

  it('changes only the given fields', async () => {
    const made = await create({ provider: 'crm', name: 'Main', expires_at, credentials: { token: 'one' } });
    expect((await change(made.id, { provider: 'other' })).body).toEqual(made);
    expect((await change(made.id, { name: null })).body).toEqual({ ...made, name: null });
    expect((await change(made.id, { expires_at: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      name: null,
      status: 'expired',
    });
    expect(await credentialsOf(made.id)).toBe('{"token":"one"}');
    const renewed = await change(made.id, { credentials: { token: 'two' }, expires_at: null });
    expect(renewed.body).toMatchObject({ status: 'active', expires_at: null });
    expect(await credentialsOf(made.id)).toBe('{"token":"two"}');
    expect(renewed.text).not.toContain('two');
    expect((await change(made.id, { credentials: null })).status).toBe(422);
  });

  it('is refused for a revoked or foreign connection', async () => {
    const made = await create({ provider: 'crm' });
    const other = `/v1/customers/${await createCustomer(tenant)}/connections/${made.id}`;
    expect((await tenant.api.patch(other, { name: 'x' })).text).toBe('{"detail":"Connection not found"}');
    await tenant.api.delete(`${path}/${made.id}`);
    expect((await change(made.id, { credentials: {} })).status).toBe(404);
    expect(await sealedCredentials(made.id)).toBeNull();
  });

  it('grants it by its new name', async () => {
    const instance = await insertInstance(service, tenant.tenant_id, { customer_id });
    await service.database.query(
      `update deployments set resolved_config = '{"connection_requirements": [{"provider": "crm", "name": "Main"}]}' where customer_id = $1`,
      [customer_id],
    );
    const { id } = await create({ provider: 'crm', name: 'Mian' });
    const granted = () =>
      service.database.query('select connection_id from instance_grants where instance_id = $1', [
        instance.id,
      ]);
    expect(await granted()).toEqual([]);
    await change(id, { name: 'Main' });
    expect(await granted()).toEqual([{ connection_id: id }]);
    await change(id, { expires_at });
    expect(await granted()).toEqual([{ connection_id: id }]);
    await change(id, { name: 'Other' });
    expect(await granted()).toEqual([]);
  });
});

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();

async function listAll(query: string, api = tenant.api) {
  type Listed = Connection & { customer_name: string | null };
  return (await api.get<{ items: Listed[] }>(`/v1/connections?${query}`)).body.items;
}

describe('the list of all customers', () => {
  it('has filters', async () => {
    const soon = await create({ provider: 'crm', expires_at: inDays(41) });
    const later = await create({ provider: 'erp', expires_at: inDays(43) });
    const lasting = await create({ provider: 'crm' });
    const ended = await create({ provider: 'crm', expires_at: inDays(-1) });
    const revoked = await create({ provider: 'crm' });
    await tenant.api.delete(`${path}/${revoked.id}`);
    const other = await createCustomer(tenant);
    await tenant.api.post(`/v1/customers/${other}/connections`, { provider: 'crm', credentials: {} });
    const idsOf = async (query: string) =>
      (await listAll(`customer_id=${customer_id}&${query}`)).map(({ id }) => id);
    expect(await idsOf('')).toEqual([ended.id, lasting.id, later.id, soon.id]);
    expect(await idsOf('status=active&provider=crm')).toEqual([lasting.id, soon.id]);
    expect(await idsOf('status=revoked')).toEqual([revoked.id]);
    expect(await idsOf('status=expired')).toEqual([ended.id]);
    expect(await idsOf('expiring=true')).toEqual([soon.id]);
    expect(await idsOf('expiring=false')).toHaveLength(4);
    expect((await listAll('')).map(({ id }) => id)).toContain(soon.id);
    expect(await listAll(`customer_id=${randomUUID()}`)).toEqual([]);
    expect((await tenant.api.get('/v1/connections?status=broken')).status).toBe(422);
  });

  it('names customers, by an e-mail address only to those who may read customers', async () => {
    await create({ provider: 'crm' });
    const nameless = await createCustomer(tenant, { email: `${randomUUID()}@example.com` });
    await tenant.api.post(`/v1/customers/${nameless}/connections`, { provider: 'crm', credentials: {} });
    const { email } = (await tenant.api.get<{ email: string }>(`/v1/customers/${nameless}`)).body;
    const names = async (scopes: string[]) => {
      const key = await service.createKey(tenant.tenant_id, { role: 'admin', scopes });
      const items = await listAll('per_page=2', service.anonymous.with({ 'x-api-key': key }));
      return items.map(({ customer_name }) => customer_name);
    };
    expect(await names(['connections:read', 'customers:read'])).toEqual([email, 'Acme Ltd']);
    expect(await names(['connections:read'])).toEqual([null, 'Acme Ltd']);
  });
});
