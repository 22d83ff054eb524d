import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Identity {
  id: string;
  channel: string;
  external_id: string;
}
interface List {
  items: Identity[];
  total: number;
}

let service: TestService;
let tenant: TestTenant;
let path: string;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  path = await newPath(tenant);
});

const newPath = async (owner: TestTenant) => `/v1/customers/${await createCustomer(owner)}/identities`;
async function create(identity: object): Promise<Identity> {
  const { status, body } = await tenant.api.post<Identity>(path, identity);
  expect(status).toBe(201);
  return body;
}

describe('create', () => {
  it('returns the identity with defaults for null', async () => {
    const identity = {
      channel: 'chatapp',
      external_id: '4915112345678',
      display_name: 'Ada',
      role_override: 'owner',
      verified: true,
    };
    expect(await create(identity)).toEqual({
      ...identity,
      attributes: {},
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id: path.split('/')[3],
      customer_name: expect.stringContaining('@'),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const nothing = { display_name: null, role_override: null, verified: null };
    const plain = await create({ channel: 'email', external_id: 'a@example.com', ...nothing });
    expect(plain).toMatchObject({ display_name: null, role_override: null, verified: false });
  });

  it('accepts an address once per tenant', async () => {
    const other = await newPath(tenant);
    const identity = { channel: 'chatapp', external_id: '1' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => tenant.api.post(index % 2 ? path : other, identity)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await tenant.api.post(path, { ...identity, channel: 'sms' })).status).toBe(201);
    const stranger = await service.createTenant();
    expect((await stranger.api.post(await newPath(stranger), identity)).status).toBe(201);
  });
});

describe('list', () => {
  it('pages and filters the customer’s identities', async () => {
    const one = await create({ channel: 'chatapp', external_id: '1' });
    const two = await create({ channel: 'chatapp', external_id: '2' });
    const three = await create({ channel: 'sms', external_id: '1' });
    await tenant.api.post(await newPath(tenant), { channel: 'sms', external_id: '2' });
    const list = async (query: string) => (await tenant.api.get<List>(path + query)).body;
    expect(await list('')).toEqual({ items: [three, two, one], page: 1, per_page: 20, total: 3 });
    expect(await list('?channel=chatapp')).toMatchObject({ items: [two, one], total: 2 });
    expect(await list('?external_id=1')).toMatchObject({ items: [three, one], total: 2 });
    expect(await list('?channel=chatapp&external_id=1')).toMatchObject({ items: [one], total: 1 });
    expect(await list('?channel=chat%25')).toMatchObject({ items: [], total: 0 });
    expect(await list('?channel=chatapp&per_page=1&page=2')).toMatchObject({ items: [one], total: 2 });
    expect(await list('?channel=chatapp&per_page=1&page=3')).toMatchObject({ items: [], total: 2 });
  });
});

describe('delete', () => {
  it('removes only an identity of the customer', async () => {
    const { id } = await create({ channel: 'chatapp', external_id: '1' });
    const foreign = await tenant.api.delete(`${await newPath(tenant)}/${id}`);
    expect(foreign).toMatchObject({ status: 404, text: '{"detail":"Identity not found"}' });
    expect((await tenant.api.delete(`${path}/${id}`)).status).toBe(204);
    expect((await tenant.api.delete(`${path}/${id}`)).text).toBe(foreign.text);
    await create({ channel: 'chatapp', external_id: '1' });
  });
});

describe('change', () => {
  it('sets the given fields and clears those with null', async () => {
    const made = await create({ channel: 'chatapp', external_id: '1', display_name: 'Ada', verified: true });
    const change = (changes: object) => tenant.api.patch(`${path}/${made.id}`, changes);
    expect(await change({ role_override: 'owner', created_at: 'never' })).toMatchObject({
      status: 200,
      body: { ...made, role_override: 'owner', updated_at: expect.any(String) },
    });
    expect((await change({ display_name: null, verified: null })).body).toMatchObject({
      display_name: null,
      verified: false,
      role_override: 'owner',
    });
    expect(await change({ external_id: null })).toMatchObject({ status: 422 });
  });

  it('moves the identity to another address', async () => {
    const made = await create({ channel: 'chatapp', external_id: '49151000001' });
    await service.database.query(
      `insert into identity_addresses (tenant_id, channel, external_id, identity_id) select tenant_id, channel, 'AU.1', id from identities where id = $1`,
      [made.id],
    );
    const other = await create({ channel: 'chatapp', external_id: '49151000003' });
    expect((await tenant.api.patch(`${path}/${made.id}`, { external_id: '49151000002' })).status).toBe(200);
    const found = async (address: string) =>
      (await tenant.api.get<List>(`${path}?external_id=${address}`)).body.total;
    expect([await found('49151000001'), await found('49151000002'), await found('AU.1')]).toEqual([0, 1, 0]);
    const taken = await tenant.api.patch(`${path}/${other.id}`, { external_id: '49151000002' });
    expect(taken.status).toBe(409);
    const elsewhere = await newPath(tenant);
    expect((await tenant.api.patch(`${elsewhere}/${made.id}`, {})).text).toBe(
      '{"detail":"Identity not found"}',
    );
  });
});
