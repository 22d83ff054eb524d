import { beforeAll, expect, it } from 'vitest';
import { BOUNDS } from '../../src/catalogue/bounds.contract.ts';
import { createCustomer } from '../support/customers.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let customer_id: string;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  customer_id = await createCustomer(tenant);
});

const post = (path: string, body: object) => tenant.api.post(`/v1/customers/${customer_id}/${path}`, body);
const refused = (...loc: string[]) => ({ status: 422, body: { detail: [{ loc, type: 'too_long' }] } });

it('has 100 websites and 100 connections at most, also when they come at once', async () => {
  const { websites, connections } = BOUNDS.customer;
  const addTo = (kind: string, body: (index: number) => object) =>
    Promise.all(Array.from({ length: 105 }, (_, index) => post(kind, body(index))));
  const sites = await addTo('websites', (index) => ({ hostname: `${index}.example.com` }));
  expect(sites.filter(({ status }) => status === 201)).toHaveLength(websites);
  expect(sites.find(({ status }) => status !== 201)).toMatchObject(refused('body'));
  const made = await addTo('connections', (index) => ({
    provider: 'crm',
    name: `${index}`,
    credentials: {},
  }));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(connections);
  expect(made.find(({ status }) => status !== 201)).toMatchObject(refused('body'));
  const first = made.find(({ status }) => status === 201)?.body as unknown as { id: string };
  const path = `/v1/customers/${customer_id}/connections/${first.id}`;
  expect((await tenant.api.delete(path)).status).toBe(204);
  expect((await post('connections', { provider: 'crm', credentials: {} })).status).toBe(201);
});

it('has credentials of at most 16 KiB', async () => {
  const token = 'x'.repeat(16 * 1024);
  expect(await post('connections', { provider: 'crm', credentials: { token } })).toMatchObject(
    refused('body', 'credentials'),
  );
});

const settings = (count: number) => ({ skills: Array.from({ length: count }, (_, index) => `s${index}`) });

it('has the lists of a configuration within their bounds, and keeps longer ones from before', async () => {
  const put = (count: number) => tenant.api.put(`/v1/customers/${customer_id}/config`, settings(count));
  expect((await put(200)).status).toBe(200);
  expect(await put(201)).toMatchObject(refused('body', 'skills'));
  await service.database.query('update customers set config = $2 where id = $1', [
    customer_id,
    JSON.stringify(settings(210)),
  ]);
  expect((await put(210)).status).toBe(200);
  expect(await put(211)).toMatchObject(refused('body', 'skills'));
});
