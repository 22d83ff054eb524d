import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { PASSWORD, sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';

const DEFAULTS = {
  instances: 100,
  recipes: 1000,
  customers: 10_000,
  staff: 100_000,
  keys: 100,
  users: 500,
  channel_endpoints: 200,
  monthly_cost: null,
  starting: 5,
  drive_reads_at_once: 4,
  streams: 100,
  revisions_kept: 200,
  conversations_stored: 1_000_000,
  sender_messages: 600,
  stored_mib: 10_240,
  event_endpoints: 10,
  rules_templates: 1000,
  onboarding_flows: 1000,
};
const TIER = randomUUID();

interface Faults {
  detail: { loc: string[]; type: string }[];
}

let service: TestService;
beforeAll(async () => {
  service = await sharedService('idle');
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});

const pathOf = ({ tenant_id }: TestTenant) => `/internal/v1/tenants/${tenant_id}`;

const patch = <T = { limits: object }>(tenant: TestTenant, json: object) =>
  service.operations.patch<T>(pathOf(tenant), json);

async function limit(tenant: TestTenant, limits: Partial<typeof DEFAULTS>): Promise<void> {
  const { status, text } = await patch(tenant, { limits });
  expect(status, text).toBe(200);
}

it('members see each limit and what is used of it', async () => {
  const tenant = await service.createTenant();
  await limit(tenant, { customers: 7 });
  const customer_id = await createCustomer(tenant);
  await insertInstance(service, tenant.tenant_id, { customer_id });
  await tenant.api.post('/v1/recipes', { name: 'R' });
  const key = await service.createKey(tenant.tenant_id, { role: 'member', scopes: ['usage:read'] });
  const member = service.anonymous.with({ 'x-api-key': key });
  const { body } = await member.get<{ items: { name: string; limit: number | null; used: number | null }[] }>(
    '/v1/limits',
  );
  const limits = Object.fromEntries(body.items.map(({ name, limit: most }) => [name, most]));
  expect(limits).toEqual({ ...DEFAULTS, customers: 7 });
  const used = Object.fromEntries(body.items.map((item) => [item.name, item.used]));
  expect(used).toMatchObject({
    customers: 1,
    instances: 1,
    users: 1,
    keys: 2,
    staff: 0,
    monthly_cost: 0,
    starting: 0,
    revisions_kept: 1,
    conversations_stored: 0,
    sender_messages: 0,
    stored_mib: 0,
    streams: null,
  });
  const { key: other } = await service.createTenant();
  const another = await service.createKey(tenant.tenant_id, { role: 'member', scopes: ['customers:read'] });
  expect((await service.anonymous.with({ 'x-api-key': another }).get('/v1/limits')).status).toBe(403);
  const theirs = await service.anonymous.with({ 'x-api-key': other }).get<{ items: object[] }>('/v1/limits');
  expect(theirs.body.items).toContainEqual({ name: 'customers', limit: 10_000, used: 0 });
});

describe('a tenant', () => {
  it('has default limits until the operator sets others, and again after null', async () => {
    const tenant = await service.createTenant('Acme');
    const { status, body } = await service.operations.get(pathOf(tenant));
    expect([status, body]).toEqual([
      200,
      {
        id: tenant.tenant_id,
        tenant_id: tenant.tenant_id,
        name: 'Acme',
        is_active: true,
        created_at: expect.any(String) as string,
        limits: DEFAULTS,
      },
    ]);
    const set = await patch(tenant, { limits: { recipes: 0, monthly_cost: 12.5, sender_messages: 3 } });
    expect(set.body.limits).toEqual({ ...DEFAULTS, recipes: 0, monthly_cost: 12.5, sender_messages: 3 });
    const merged = await patch(tenant, { name: 'Acme Ltd', limits: { recipes: null, users: 7 } });
    expect(merged.body).toMatchObject({
      name: 'Acme Ltd',
      limits: { ...DEFAULTS, monthly_cost: 12.5, sender_messages: 3, users: 7 },
    });
    expect((await patch(tenant, {})).body).toEqual(merged.body);
    expect((await service.operations.get(pathOf(tenant))).body).toEqual(merged.body);
  });

  it('refuses unknown limits and wrong values, listing all', async () => {
    const tenant = await service.createTenant();
    const wrong = {
      instance: 1,
      instances: -1,
      recipes: '5',
      starting: 0,
      users: 1.5,
      monthly_cost: -0.5,
      constructor: 1,
    };
    const { status, body } = await patch<Faults>(tenant, { name: '', is_active: null, limits: wrong });
    expect(status).toBe(422);
    const found = body.detail.map(({ loc }) => loc.join('.'));
    expect(found.toSorted()).toEqual(
      ['name', 'is_active', ...Object.keys(wrong).map((name) => `limits.${name}`)]
        .map((name) => `body.${name}`)
        .toSorted(),
    );
    expect((await patch(tenant, { limits: null })).status).toBe(422);
    expect((await service.operations.get<{ limits: object }>(pathOf(tenant))).body.limits).toEqual(DEFAULTS);
  });

  it('is 404 for an unknown id and for the platform', async () => {
    const [platform] = await service.database.query<{ id: string }>(
      `insert into tenants (name, wrapped_key, is_platform) values ('Platform', '', true) returning id`,
    );
    for (const id of [randomUUID(), platform?.id]) {
      const path = `/internal/v1/tenants/${id}`;
      for (const answer of [await service.operations.get(path), await service.operations.patch(path, {})])
        expect([answer.status, answer.body]).toEqual([404, { detail: 'Tenant not found' }]);
    }
  });
});

interface Kind {
  tenant: TestTenant;
  /** Rows before the test. */
  used: number;
  add: () => Promise<Answer<{ id?: string; instance_id?: string; detail?: string }>>;
  /** Removes a row; undefined where impossible. */
  remove?: (added: { id?: string; instance_id?: string }) => Promise<unknown>;
}

const address = () => `${randomUUID()}@example.com`;

const kinds: Record<string, (tenant: TestTenant) => Promise<Kind>> = {
  instances: async (tenant) => {
    const customer_id = await createCustomer(tenant);
    const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h', recipe_id: recipe.body.id, customer_id };
    return {
      tenant,
      used: 0,
      add: () => tenant.api.post('/v1/recipes/deploy', place),
      remove: ({ instance_id }) =>
        service.database.query(`update instances set status = 'terminated' where id = $1`, [instance_id]),
    };
  },
  recipes: async (tenant) => ({
    tenant,
    used: 0,
    add: () => tenant.api.post('/v1/recipes', { name: 'R' }),
    remove: ({ id }) => tenant.api.delete(`/v1/recipes/${id}`),
  }),
  'recipes saved from an instance': async (tenant) => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    return {
      tenant,
      used: 1,
      add: () => tenant.api.post(`/v1/recipes/save-from-instance/${id}`, { name: 'Saved' }),
    };
  },
  customers: async (tenant) => ({
    tenant,
    used: 0,
    add: () => tenant.api.post('/v1/customers', { email: address() }),
    remove: ({ id }) => tenant.api.delete(`/v1/customers/${id}`),
  }),
  'customers that are cloned': async (tenant) => {
    const id = await createCustomer(tenant);
    const clone = { source_customer_id: id, company_name: 'Clone' };
    return {
      tenant,
      used: 1,
      add: () => tenant.api.post(`/v1/customers/${id}/clone`, { ...clone, email: address() }),
    };
  },
  staff: async (tenant) => {
    const crew = await Crew.gather(service, tenant);
    return {
      tenant,
      used: 0,
      add: () => service.operations.post(crew.staffPath(), { name: 'Ada' }),
      remove: ({ id }) => tenant.api.delete(`${crew.customer_path}/staff/${id}`),
    };
  },
  keys: async (tenant) => ({
    tenant,
    used: 1,
    add: () => tenant.api.post('/v1/api-keys', { name: 'Key', scopes: [] }),
    remove: ({ id }) => tenant.api.delete(`/v1/api-keys/${id}`),
  }),
  users: async (tenant) => ({
    tenant,
    used: 1,
    add: () => tenant.api.post('/v1/users', { email: address(), password: PASSWORD, role: 'member' }),
    remove: ({ id }) => tenant.api.delete(`/v1/users/${id}`),
  }),
  channel_endpoints: async (tenant) => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const settings = { channel: 'chatapp', instance_id: instance.id, verify_token: 't', app_secret: 's' };
    return {
      tenant,
      used: 0,
      add: () => tenant.api.post('/v1/channel-endpoints', { ...settings, phone_number_id: randomUUID() }),
      remove: ({ id }) => tenant.api.delete(`/v1/channel-endpoints/${id}`),
    };
  },
  event_endpoints: async (tenant) => ({
    tenant,
    used: 0,
    add: () => tenant.api.post('/v1/event-endpoints', { url: 'https://example.com/events', events: ['*'] }),
    remove: ({ id }) => tenant.api.delete(`/v1/event-endpoints/${id}`),
  }),
  rules_templates: async (tenant) => ({
    tenant,
    used: 0,
    add: () => tenant.api.post('/v1/rules-templates', { name: 'Quiet', rules: {} }),
    remove: ({ id }) => tenant.api.delete(`/v1/rules-templates/${id}`),
  }),
  onboarding_flows: async (tenant) => ({
    tenant,
    used: 0,
    add: () => tenant.api.post('/v1/onboarding-flows', { name: 'Hello', steps: [{ text: 'Who are you?' }] }),
    remove: ({ id }) => tenant.api.delete(`/v1/onboarding-flows/${id}`),
  }),
};

/** Stored counts beside actual rows. */
const COUNTS = `
  select tenant_id, name, used::int, coalesce(found, 0)::int as found from tenant_counts left join (
    select tenant_id, 'instances' as name, count(*) as found from instances where status <> 'terminated' group by 1 union all
    select tenant_id, 'recipes', count(*) from recipes where deleted_at is null group by 1 union all
    select tenant_id, 'customers', count(*) from customers group by 1 union all
    select tenant_id, 'staff', count(*) from staff group by 1 union all
    select tenant_id, 'keys', count(*) from api_keys where revoked_at is null group by 1 union all
    select tenant_id, 'users', count(*) from memberships group by 1 union all
    select tenant_id, 'channel_endpoints', count(*) from channel_endpoints group by 1 union all
    select tenant_id, 'event_endpoints', count(*) from event_endpoints group by 1 union all
    select tenant_id, 'rules_templates', count(*) from rules_templates group by 1 union all
    select tenant_id, 'onboarding_flows', count(*) from onboarding_flows group by 1
  ) rows using (tenant_id, name) where tenant_id = $1`;

const countsOf = ({ tenant_id }: TestTenant) =>
  service.database.query<{ name: string; used: number; found: number }>(COUNTS, [tenant_id]);

describe.each(Object.keys(kinds))('%s', (title) => {
  const name = title.split(' ')[0] ?? '';
  const prepare = async () => (kinds[title] ?? expect.unreachable())(await service.createTenant());

  it('are added up to the limit, exactly under fifty concurrent requests, and again after one is removed', async () => {
    const { tenant, used, add, remove } = await prepare();
    await limit(tenant, { [name]: used + 1 });
    const answers = await Promise.all(Array.from({ length: 50 }, add));
    const [first, ...others] = answers.filter(({ status }) => status < 300);
    expect(others).toEqual([]);
    const refusal = `The tenant has reached its limit of ${used + 1} ${name.replace('_', ' ')}`;
    const refused = answers.filter((answer) => answer !== first);
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`403 ${JSON.stringify({ detail: refusal })}`]),
    );
    if (remove) {
      await remove(first?.body ?? expect.unreachable());
      expect((await add()).status).toBeLessThan(300);
    }
    expect((await add()).status).toBe(403);
    for (const { name: counted, used: count, found } of await countsOf(tenant))
      expect([counted, count]).toEqual([counted, found]);
  });

  it('stay when the limit is lowered below their number', async () => {
    const { tenant, used, add } = await prepare();
    expect([(await add()).status, (await add()).status].every((status) => status < 300)).toBe(true);
    await limit(tenant, { [name]: 1 });
    expect((await add()).status).toBe(403);
    const counted = (await countsOf(tenant)).find((row) => row.name === name);
    expect(counted).toMatchObject({ used: used + 2, found: used + 2 });
    await limit(tenant, { [name]: used + 3 });
    expect((await add()).status).toBeLessThan(300);
  });
});

describe('at its limit a tenant', () => {
  it('gets other errors first', async () => {
    const tenant = await service.createTenant();
    const taken = address();
    await createCustomer(tenant, { email: taken });
    await limit(tenant, { customers: 1, staff: 0, channel_endpoints: 0 });
    const answers = [
      await tenant.api.post('/v1/customers', { email: 1 }),
      await tenant.api.post('/v1/customers', { email: taken }),
      await tenant.api.post('/v1/channel-endpoints', {
        channel: 'chatapp',
        instance_id: randomUUID(),
        phone_number_id: 'n',
        verify_token: 't',
        app_secret: 's',
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 409, 404]);
  });

  it('rotates each of its keys once, also above a lowered limit', async () => {
    const tenant = await service.createTenant();
    const made: string[] = [];
    for (const name of ['a', 'b']) {
      const { body } = await tenant.api.post<{ id: string }>('/v1/api-keys', { name, scopes: [] });
      made.push(body.id);
    }
    await limit(tenant, { keys: 2 });
    const rotate = () => tenant.api.post(`/v1/api-keys/${made[0]}/rotate`, { overlap_seconds: 600 });
    expect([(await rotate()).status, (await rotate()).status]).toEqual([201, 403]);
    expect((await countsOf(tenant)).find(({ name }) => name === 'keys')).toMatchObject({ used: 3, found: 3 });
  });

  it('gets a repeated deployment’s response, and joins an existing shared instance', async () => {
    const tenant = await service.createTenant();
    const customer_id = await createCustomer(tenant);
    const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', {
      name: 'R',
      hosting_mode: 'shared',
    });
    const place = { tier_id: TIER, region_id: 'eu-1', hostname: 'h', recipe_id: recipe.body.id };
    const deploy = (fields: object) => tenant.api.post('/v1/recipes/deploy', { ...place, ...fields });
    await limit(tenant, { instances: 1 });
    const first = { customer_id, idempotency_key: 'first' };
    const [made, again] = [await deploy(first), await deploy(first)];
    expect([made.status, again.status, again.body]).toEqual([202, 200, made.body]);
    const joining = { customer_id: await createCustomer(tenant) };
    expect((await deploy(joining)).status).toBe(202);
    expect((await deploy({ customer_id, hosting_mode: 'dedicated' })).status).toBe(403);
    expect((await countsOf(tenant)).find(({ name }) => name === 'instances')).toMatchObject({ used: 1 });
  });

  it('imports staff up to the limit and reports each further one', async () => {
    const tenant = await service.createTenant();
    const crew = await Crew.gather(service, tenant);
    await limit(tenant, { staff: 2 });
    const staff = [{ name: 'Ada' }, { name: '' }, { name: 'Grace' }, { name: 'Mary' }, { name: 'Joan' }];
    const { status, body } = await service.operations.post<{ created: number; errors: unknown[] }>(
      crew.staffPath('/import'),
      { staff },
    );
    const msg = 'The tenant has reached its limit of 2 staff';
    expect([status, body]).toEqual([
      200,
      {
        created: 2,
        updated: 0,
        errors: [
          expect.objectContaining({ index: 1, type: 'string_too_short' }),
          { index: 3, loc: ['body', 'staff', '3'], msg, type: 'value_error' },
          { index: 4, loc: ['body', 'staff', '4'], msg, type: 'value_error' },
        ],
      },
    ]);
  });

  it('imports changes of existing staff above a lowered limit', async () => {
    const tenant = await service.createTenant();
    const crew = await Crew.gather(service, tenant);
    const known = ['a', 'b'].map((external_id) => ({ name: 'Ada', external_id }));
    const send = (staff: object[]) => service.operations.post(crew.staffPath('/import'), { staff });
    expect((await send(known)).body).toMatchObject({ created: 2, updated: 0 });
    await limit(tenant, { staff: 1 });
    const stranger = { name: 'Mary', external_id: 'c' };
    const { body } = await send([{ name: 'Joan' }, ...known, stranger]);
    expect(body).toMatchObject({ created: 0, updated: 2, errors: [{ index: 0 }, { index: 3 }] });
    await limit(tenant, { staff: 3 });
    const further = await send([stranger, { name: 'Joan' }, ...known]);
    expect(further.body).toMatchObject({ created: 1, updated: 2, errors: [{ index: 1 }] });
    expect((await countsOf(tenant)).find(({ name }) => name === 'staff')).toMatchObject({
      used: 3,
      found: 3,
    });
  });

  it('gets room for staff when their customer is erased', async () => {
    const tenant = await service.createTenant();
    const customer_id = await createCustomer(tenant);
    const add = (id: string) => tenant.api.post(`/v1/customers/${id}/staff`, { name: 'Ada' });
    await limit(tenant, { staff: 1, customers: 1 });
    expect([(await add(customer_id)).status, (await add(customer_id)).status]).toEqual([201, 403]);
    expect((await tenant.api.delete(`/v1/customers/${customer_id}`)).status).toBe(204);
    expect((await add(await createCustomer(tenant))).status).toBe(201);
  });

  it('does not exceed the limit by concurrent imports', async () => {
    const tenant = await service.createTenant();
    const crew = await Crew.gather(service, tenant);
    await limit(tenant, { staff: 50 });
    const staff = Array.from({ length: 20 }, (_, index) => ({ name: `P${index}` }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? service.operations.post<{ created: number }>(crew.staffPath('/import'), { staff })
          : service.operations.post<{ created: number }>(crew.staffPath(), { name: 'Ada' }),
      ),
    );
    const created = answers.map(({ status, body }) => body.created ?? Number(status === 201));
    expect(created.reduce((sum, count) => sum + count)).toBe(50);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
