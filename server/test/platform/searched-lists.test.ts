import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

type Row = Record<string, string | null>;

/** `add` sets two searched fields of a row, or one if there is only one. */
interface Searched {
  path: string;
  parameter?: string;
  add: (first: string, second: string) => Promise<unknown>;
  fields: readonly [string, string?];
}

let service: TestService;
let tenant: TestTenant;
let customer_id: string;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  customer_id = await createCustomer(tenant);
});

const post = async (path: string, body: object) =>
  expect((await tenant.api.post(path, body)).status).toBe(201);

const LISTS: Readonly<Record<string, () => Searched>> = {
  list_recipes: () => ({
    path: '/v1/recipes',
    add: (name, description) => post('/v1/recipes', { name, description }),
    fields: ['name', 'description'],
  }),
  list_instances: () => ({
    path: '/v1/instances',
    add: async (hostname) => {
      const { id } = await insertInstance(service, tenant.tenant_id);
      await service.database.query('update instances set hostname = $2 where id = $1', [id, hostname]);
    },
    fields: ['hostname'],
  }),
  list_customers: () => ({
    path: '/v1/customers',
    parameter: 'q',
    add: (email, company_name) => post('/v1/customers', { email: `${email}@a.example`, company_name }),
    fields: ['email', 'company_name'],
  }),
  list_connections: () => ({
    path: `/v1/customers/${customer_id}/connections`,
    add: (provider, name) =>
      post(`/v1/customers/${customer_id}/connections`, { provider, name, credentials: {} }),
    fields: ['provider', 'name'],
  }),
  list_channel_endpoints: () => ({
    path: '/v1/channel-endpoints',
    add: async (phone_number_id, connection_name) => {
      const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
      const secrets = { verify_token: 'a-verify-token', app_secret: 'an-app-secret' };
      const body = { channel: 'chatapp', phone_number_id, connection_name, instance_id, ...secrets };
      await post('/v1/channel-endpoints', body);
    },
    fields: ['phone_number_id', 'connection_name'],
  }),
  list_primitives: () => ({
    path: '/v1/primitives',
    add: (slug, display_name) => post('/v1/primitives', { kind: 'skill', slug, display_name }),
    fields: ['slug', 'display_name'],
  }),
  list_models: () => ({
    path: '/v1/public/models',
    add: (model_id, display_name) =>
      service.operations.put('/internal/v1/models', { models: [{ model_id, display_name }] }),
    fields: ['model_id', 'display_name'],
  }),
};

/** Their own tests search them. */
const TESTED_ELSEWHERE: readonly string[] = [
  'list_conversations',
  'list_customer_staff',
  'list_staff',
  'list_tenants',
  'search_tenant',
];

async function found({ path, parameter = 'search' }: Searched, words: string): Promise<Row[]> {
  const { status, body } = await tenant.api.get<Row[] | Record<string, Row[]>>(
    `${path}?${parameter}=${encodeURIComponent(words)}`,
  );
  expect(status).toBe(200);
  return Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
}

it.each(Object.entries(LISTS))(
  '%s finds a part of a row’s words in any case, to the letter',
  async (_, list) => {
    const searched = list();
    const [one, two, other] = [randomUUID(), randomUUID(), randomUUID()];
    await searched.add(`pier-${one}`, `Crew_Ö_${two}%`);
    await searched.add(other, other);
    const names = async (words: string) =>
      (await found(searched, words)).map((row) => row[searched.fields[0]]);
    const own = expect.stringContaining(`pier-${one}`) as string;
    expect(await names(`IER-${one.toUpperCase()}`)).toEqual([own]);
    if (searched.fields[1] !== undefined) expect(await names(`crew_ö_${two}%`)).toEqual([own]);
    for (const pattern of [`pier_${one}`, `crew-ö_${two}%`, `%${one}`, `${one}%`, `${one} crew`, `\\${one}`])
      expect(await names(pattern), pattern).toEqual([]);
    expect((await names('')).length).toBeGreaterThan(1);
  },
);

it.each(Object.entries(LISTS))('%s refuses more than 1,000 characters', async (_, list) => {
  const { path, parameter = 'search' } = list();
  expect(await tenant.api.get(`${path}?${parameter}=${'x'.repeat(1001)}`)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query', parameter], type: 'string_too_long' }] },
  });
});

it('list_customers searches only the address with `search`, and combines both filters', async () => {
  const word = randomUUID();
  await post('/v1/customers', { email: `${word}@a.example`, company_name: 'Ashore' });
  await post('/v1/customers', { email: `${randomUUID()}@a.example`, company_name: word });
  for (const [query, total] of [
    [`q=${word}`, 2],
    [`search=${word}`, 1],
    [`search=${word}&q=ashore`, 1],
    [`search=${word}&q=afloat`, 0],
  ] as const)
    expect((await tenant.api.get(`/v1/customers?${query}`)).body, query).toMatchObject({ total });
});

it('knows every list that is searched', () => {
  const searched = operations.filter(({ query }) =>
    ['search', 'q'].some((name) => name in (query?.properties ?? {})),
  );
  const known = [...Object.keys(LISTS), ...TESTED_ELSEWHERE];
  expect(searched.map(({ id }) => id).toSorted()).toEqual(known.toSorted());
});
