import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Customer {
  id: string;
  email: string | null;
  company_name: string | null;
  created_at: string;
}
interface List {
  customers: (Customer & { instance_count: number; subscription_count: number })[];
  page: number;
  per_page: number;
  total: number;
  total_pages: number;
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant();
});

async function create(email: string, profile: object = {}): Promise<Customer> {
  const { status, body } = await tenant.api.post<Customer>('/v1/customers', { email, ...profile });
  expect(status).toBe(201);
  return body;
}
const list = async (query = '') => (await tenant.api.get<List>(`/v1/customers${query}`)).body;
const emails = async (query: string) => (await list(query)).customers.map(({ email }) => email);
/** First letters of the addresses in the list. */
const order = async (sort_by: string, sort_dir: string) =>
  (await emails(`?sort_by=${sort_by}&sort_dir=${sort_dir}`)).map((email) => email?.[0]).join('');

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('create', () => {
  it('returns the customer and stores the profile', async () => {
    const profile = { country_code: 'DE', currency: 'EUR', timezone: 'Europe/Berlin', locale: 'de-DE' };
    const customer = await create('Ada@Example.com', { company_name: ' Acme ', ...profile });
    expect(customer).toEqual({
      id: expect.any(String),
      email: 'Ada@Example.com',
      company_name: ' Acme ',
      created_at: expect.stringMatching(TIMESTAMP),
    });
    const { body } = await tenant.api.get(`/v1/customers/${customer.id}`);
    expect(body).toEqual({
      ...customer,
      ...profile,
      payments_customer_id: null,
      updated_at: expect.stringMatching(TIMESTAMP),
      instance_count: 0,
      running_instance_count: 0,
      subscription_count: 0,
      active_subscription_count: 0,
      latest_subscription_status: null,
      instances: [],
      subscriptions: [],
    });
  });

  it('accepts null for every optional field', async () => {
    const nulls = { company_name: null, country_code: null, currency: null, timezone: null, locale: null };
    const customer = await create('a@example.com', nulls);
    const { body } = await tenant.api.get(`/v1/customers/${customer.id}`);
    expect(body).toMatchObject({ ...nulls, timezone: 'UTC' });
  });

  it('checks the formats of the profile', async () => {
    const { status, body } = await tenant.api.post('/v1/customers', {
      email: 'nobody',
      company_name: 'x'.repeat(201),
      country_code: 'XX',
      currency: 'EURO',
      timezone: 'Mars/Base',
      locale: '!',
    });
    expect(status).toBe(422);
    const { detail } = body as unknown as { detail: { loc: string[]; type: string }[] };
    expect(detail.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['body.email', 'value_error'],
      ['body.company_name', 'string_too_long'],
      ['body.country_code', 'value_error'],
      ['body.currency', 'value_error'],
      ['body.timezone', 'value_error'],
      ['body.locale', 'value_error'],
    ]);
    expect((await list()).total).toBe(0);
  });

  it('refuses a locale that is too long', async () => {
    const answer = await tenant.api.post('/v1/customers', {
      email: 'a@example.com',
      locale: `en-x${'-private'.repeat(32)}`,
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'locale'], type: 'value_error' }] },
    });
  });

  it.each(['CHE', 'CLF', 'VED', 'XAU', 'XDR'])('accepts the ISO 4217 currency %s', async (currency) => {
    const { id } = await create('a@example.com', { currency });
    expect((await tenant.api.get(`/v1/customers/${id}`)).body).toMatchObject({ currency });
  });

  it.each(['eur', 'DEM', 'XTS', 'XXX', 'ZZZ'])('refuses the currency %s', async (currency) => {
    expect(await tenant.api.post('/v1/customers', { email: 'a@example.com', currency })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'currency'], type: 'value_error' }] },
    });
  });

  it.each(['IST', 'bst', 'PST', 'ECT', 'SystemV/PST8PDT', 'US/Pacific-New'])(
    'refuses the time zone %s, unknown to IANA',
    async (timezone) => {
      const { status, body } = await tenant.api.post('/v1/customers', { email: 'a@example.com', timezone });
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'timezone'], type: 'value_error' }] },
      });
    },
  );

  it.each(['EST', 'PRC', 'utc', 'US/Pacific', 'Asia/Calcutta', 'Etc/GMT+5', 'America/Argentina/Salta'])(
    'accepts the IANA time zone %s',
    async (timezone) => {
      const { id } = await create('a@example.com', { timezone });
      expect((await tenant.api.get(`/v1/customers/${id}`)).body).toMatchObject({ timezone });
      await service.database.query('select now() at time zone $1', [timezone]);
    },
  );

  it('creates one customer per address, ignoring case', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.api.post('/v1/customers', { email: index % 2 ? 'same@example.com' : 'SAME@example.com' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await list()).total).toBe(1);
    const other = await service.createTenant();
    expect((await other.api.post('/v1/customers', { email: 'same@example.com' })).status).toBe(201);
  });
});

describe('list', () => {
  it('has the specified shape, newest first', async () => {
    const first = await create('first@example.com');
    const second = await create('second@example.com');
    const zeros = {
      instance_count: 0,
      running_instance_count: 0,
      subscription_count: 0,
      active_subscription_count: 0,
      latest_subscription_status: null,
    };
    const profile = { country_code: null, currency: null, timezone: 'UTC' };
    expect(await list()).toEqual({
      customers: [
        { ...second, ...profile, ...zeros },
        { ...first, ...profile, ...zeros },
      ],
      page: 1,
      per_page: 20,
      total: 2,
      total_pages: 1,
    });
  });

  it('pages without gaps and repeats', async () => {
    for (let index = 0; index < 5; index++) await create(`${index}@example.com`, { company_name: 'Same' });
    const pages = await Promise.all(
      [1, 2, 3].map((page) => list(`?sort_by=company_name&per_page=2&page=${page}`)),
    );
    expect(pages.map(({ customers }) => customers.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap(({ customers }) => customers.map(({ id }) => id))).size).toBe(5);
    expect(await list('?per_page=2&page=9')).toEqual({
      customers: [],
      page: 9,
      per_page: 2,
      total: 5,
      total_pages: 3,
    });
    expect(await list('?search=nothing')).toMatchObject({ customers: [], total: 0, total_pages: 0 });
  });

  it('sorts by each column, ignoring case, nulls last', async () => {
    const beta = await create('C@example.com', { company_name: 'beta' });
    await create('a@example.com', { company_name: 'Alpha' });
    await create('B@example.com', { company_name: 'Gamma' });
    await create('d@example.com');
    await tenant.api.put(`/v1/customers/${beta.id}/rules`, {});
    expect(await order('created_at', 'asc')).toBe('CaBd');
    expect(await order('created_at', 'desc')).toBe('dBaC');
    expect(await order('email', 'asc')).toBe('aBCd');
    expect(await order('email', 'desc')).toBe('dCBa');
    expect(await order('company_name', 'asc')).toBe('aCBd');
    expect(await order('company_name', 'desc')).toBe('BCad');
    expect(await order('updated_at', 'asc')).toBe('aBdC');
    expect(await order('updated_at', 'desc')).toBe('CdBa');
  });

  it('puts customers without an address last', async () => {
    const { id } = await create('a@example.com');
    await tenant.api.post(`/v1/customers/${id}/clone`, { company_name: 'Clone', source_customer_id: id });
    expect(await emails('?sort_by=email&sort_dir=asc')).toEqual(['a@example.com', null]);
    expect(await emails('?sort_by=email&sort_dir=desc')).toEqual(['a@example.com', null]);
    expect(await emails('?search=')).toHaveLength(2);
    expect(await emails('?search=a')).toEqual(['a@example.com']);
  });

  it('searches the address for literal text, ignoring case', async () => {
    await create('One_Two@example.com');
    await create('onextwo@example.com');
    await create('per%cent@example.com');
    await create("o'hara@example.com");
    expect(await emails('?search=ONE_')).toEqual(['One_Two@example.com']);
    expect(await emails('?search=%25')).toEqual(['per%cent@example.com']);
    expect(await emails("?search=o'h")).toEqual(["o'hara@example.com"]);
    expect(await emails('?search=%5C')).toEqual([]);
    expect(await emails(`?search=${encodeURIComponent("' or true --")}`)).toEqual([]);
    expect(await emails('?search=example.COM')).toHaveLength(4);
  });

  it('shows only the tenant’s customers', async () => {
    await create('mine@example.com');
    const other = await service.createTenant();
    expect((await other.api.get<List>('/v1/customers')).body).toMatchObject({ customers: [], total: 0 });
  });
});

describe('counts', () => {
  it('count an instance for each customer that it serves', async () => {
    const [one, two] = [await create('one@example.com'), await create('two@example.com')];
    const insert = (options: object) =>
      insertInstance(service, tenant.tenant_id, { customer_id: one.id, ...options });
    const shared = await insert({ hosting_mode: 'shared' });
    const stopped = await insert({ status: 'stopped' });
    await insert({ status: 'terminated' });
    await placeCustomer(service, shared.id, one.id);
    await placeCustomer(service, shared.id, two.id);
    await placeCustomer(service, stopped.id, two.id);
    await service.database.query(
      'update deployments set released_at = now() where instance_id = $1 and customer_id = $2',
      [stopped.id, two.id],
    );

    const byEmail = await list('?sort_by=email&sort_dir=asc');
    expect(byEmail.customers).toMatchObject([
      { id: one.id, instance_count: 2, running_instance_count: 1 },
      { id: two.id, instance_count: 1, running_instance_count: 1 },
    ]);
    const { body } = await tenant.api.get<{ instances: { created_at: string }[] }>(`/v1/customers/${one.id}`);
    expect(body).toMatchObject({ instance_count: 2, running_instance_count: 1 });
    expect(body.instances).toEqual([
      {
        id: stopped.id,
        status: 'stopped',
        hosting_mode: 'dedicated',
        hostname: 'agent',
        template_name: 'Recipe',
        region_id: stopped.region_id,
        created_at: expect.stringMatching(TIMESTAMP),
      },
      expect.objectContaining({ id: shared.id, status: 'running', hosting_mode: 'shared' }),
    ]);
  });

  it('count subscriptions', async () => {
    const { id } = await create('one@example.com');
    await create('two@example.com');
    const subscriptions: unknown[] = [];
    for (const status of ['active', 'trialing', 'paused']) {
      const subscription = { status, plan: 'pro', current_period_end: '2030-01-31T10:00:00+01:00' };
      subscriptions.unshift((await tenant.api.post(`/v1/customers/${id}/subscriptions`, subscription)).body);
    }
    const counts = {
      subscription_count: 3,
      active_subscription_count: 1,
      latest_subscription_status: 'paused',
    };
    expect((await list('?sort_dir=asc')).customers).toMatchObject([
      { id, ...counts },
      { subscription_count: 0, active_subscription_count: 0, latest_subscription_status: null },
    ]);
    const { body } = await tenant.api.get(`/v1/customers/${id}`);
    expect(body).toMatchObject(counts);
    expect(body).toHaveProperty('subscriptions', subscriptions);
  });
});

describe('clone', () => {
  it('copies the path’s profile and the source’s rules', async () => {
    const profile = { country_code: 'JP', currency: 'JPY', timezone: 'Asia/Tokyo', locale: 'ja' };
    const model = await create('model@example.com', profile);
    const source = await create('source@example.com', { country_code: 'DE' });
    await tenant.api.put(`/v1/customers/${model.id}/rules`, { tone: 'formal' });
    await tenant.api.put(`/v1/customers/${source.id}/rules`, { tone: 'warm', limits: [1, 2] });
    await tenant.api.put(`/v1/customers/${source.id}/config`, { greeting: 'Hi' });
    const { status, body } = await tenant.api.post<Customer>(`/v1/customers/${model.id}/clone`, {
      company_name: 'Clone',
      source_customer_id: source.id.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      email: null,
      company_name: 'Clone',
      created_at: expect.stringMatching(TIMESTAMP),
    });
    expect((await tenant.api.get(`/v1/customers/${body.id}`)).body).toMatchObject(profile);
    const rules = await tenant.api.get(`/v1/customers/${body.id}/rules`);
    expect(rules.body).toEqual({ tone: 'warm', limits: [1, 2] });
    expect((await tenant.api.get(`/v1/customers/${body.id}/config`)).body).toEqual({});
  });

  it('answers the same for an unknown and a foreign source', async () => {
    const { id } = await create('a@example.com');
    const other = await service.createTenant();
    const { body: foreign } = await other.api.post<Customer>('/v1/customers', { email: 'a@example.com' });
    for (const source_customer_id of [foreign.id, randomUUID()]) {
      const answer = await tenant.api.post(`/v1/customers/${id}/clone`, {
        company_name: 'A',
        source_customer_id,
      });
      expect(answer).toMatchObject({ status: 404, text: '{"detail":"Customer not found"}' });
    }
    expect((await list()).total).toBe(1);
  });

  it('creates one clone per address', async () => {
    const { id } = await create('a@example.com');
    const clone = { company_name: 'A', source_customer_id: id, email: 'B@example.com' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenant.api.post(`/v1/customers/${id}/clone`, clone)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const taken = await tenant.api.post(`/v1/customers/${id}/clone`, { ...clone, email: 'A@EXAMPLE.COM' });
    expect(taken.status).toBe(409);
  });
});

describe('change', () => {
  it('sets the given fields and clears those with null', async () => {
    const profile = {
      company_name: 'Pier',
      country_code: 'AU',
      timezone: 'Australia/Sydney',
      locale: 'en-AU',
    };
    const { id } = await create('ada@example.com', profile);
    const change = (changes: object) => tenant.api.patch<object>(`/v1/customers/${id}`, changes);
    const first = await change({ company_name: 'Pier 4', created_at: 'never', country_code: null });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...profile,
        email: 'ada@example.com',
        company_name: 'Pier 4',
        country_code: null,
        instances: [],
      },
    });
    expect((await change({ timezone: null, email: 'ADA@example.com' })).body).toMatchObject({
      timezone: 'UTC',
      email: 'ADA@example.com',
    });
    expect((await change({})).body).toEqual((await tenant.api.get(`/v1/customers/${id}`)).body);
    expect(await change({ email: null, timezone: 'Mars' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'email'] }, { loc: ['body', 'timezone'] }] },
    });
  });

  it('refuses the address of another customer', async () => {
    await create('ada@example.com');
    const { id } = await create('bea@example.com');
    expect((await tenant.api.patch(`/v1/customers/${id}`, { email: 'Ada@example.com' })).status).toBe(409);
    expect((await tenant.api.patch(`/v1/customers/${randomUUID()}`, {})).status).toBe(404);
  });
});
