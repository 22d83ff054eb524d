import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

let service: TestService;
let tenant: TestTenant;
let crew: Crew;
let ada: Staff;
let path: string;

beforeAll(async () => {
  service = await sharedService('working');
});
beforeEach(async () => {
  tenant = await service.createTenant();
  crew = await Crew.gather(service, tenant);
  ada = await crew.add({ name: 'Ada' });
  path = `${crew.customer_path}/staff/${ada.id}/bindings`;
});

const binding = { channel_type: 'chatapp', channel_address: '4915112345678' };

it('never returns the code', async () => {
  const { status, body, text } = await tenant.api.post(path, { ...binding, code: 'kA-4711-xyz' });
  expect(status).toBe(201);
  expect(body).toEqual({
    ...binding,
    customer_name: null,
    person_name: 'Ada',
    id: expect.any(String),
    tenant_id: tenant.tenant_id,
    customer_id: crew.instance.customer_id,
    person_id: ada.id,
    state: 'unverified',
    has_code: true,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const list = await tenant.api.get(path);
  expect(list.body).toEqual({ items: [body], page: 1, per_page: 20, total: 1 });
  const rows = await service.database.query('select b.*::text as row from staff_bindings b', []);
  expect(`${text}${list.text}${JSON.stringify(rows)}`).not.toContain('kA-4711');
});

it('lists a person’s bindings, newest first', async () => {
  const bea = await crew.add({ name: 'Bea' });
  await crew.bind(bea, binding);
  await crew.bind(ada, { ...binding, channel_address: '1' });
  await crew.bind(ada, { ...binding, channel_address: '2', code: null });
  expect((await tenant.api.get(`${path}?per_page=1`)).body).toMatchObject({
    items: [{ channel_address: '2', has_code: false }],
    total: 2,
  });
  expect((await tenant.api.get(`${path}?per_page=1&page=2`)).body).toMatchObject({
    items: [{ channel_address: '1' }],
  });
});

it('binds an address to one person of a customer', async () => {
  const bea = await crew.add({ name: 'Bea' });
  const otherPath = `${crew.customer_path}/staff/${bea.id}/bindings`;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => tenant.api.post(i % 2 ? path : otherPath, binding)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  expect((await tenant.api.post(path, { ...binding, channel_type: 'sms' })).status).toBe(201);
  for (const owner of [tenant, await service.createTenant()]) {
    const other = await Crew.gather(service, owner);
    await other.bind(await other.add({ name: 'Eve' }), binding);
  }
});

it('frees a rejected address', async () => {
  await crew.bind(ada, { ...binding, code: '1234' });
  const response = (text: string) =>
    service.operations.post(`${crew.path}/worker/verify`, { ...binding, response: text });
  expect((await response('no')).body).toMatchObject({ state: 'rejected' });
  const bea = await crew.add({ name: 'Bea' });
  await crew.bind(bea, binding);
  expect((await response('1234')).body).toMatchObject({ state: 'unverified', person_id: bea.id });
  expect((await tenant.api.get(path)).body).toMatchObject({ total: 0 });
  expect((await tenant.api.post(path, binding)).status).toBe(409);
});

it('counts wrong codes from zero for a new binding', async () => {
  const response = async (text: string) =>
    (await service.operations.post(`${crew.path}/worker/verify`, { ...binding, response: text })).body;
  await crew.bind(ada, { ...binding, code: '1234' });
  for (const guess of ['2', '3', '4', '5', '6']) await response(guess);
  await crew.bind(ada, { ...binding, code: '1234' });
  expect(await response('2')).toMatchObject({ state: 'unverified' });
  expect(await response('1234')).toMatchObject({ state: 'verified' });
});

it('refuses a code of only space', async () => {
  const refused = await tenant.api.post(path, { ...binding, channel_address: 'blank', code: ' \t' });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    detail: [{ loc: ['body', 'code'], type: 'string_pattern_mismatch' }],
  });
});

it('frees the address of a removed binding', async () => {
  const made = await tenant.api.post<{ id: string }>(path, binding);
  const bea = await crew.add({ name: 'Bea' });
  const ofBea = `${crew.customer_path}/staff/${bea.id}/bindings`;
  expect((await tenant.api.delete(`${ofBea}/${made.body.id}`)).text).toBe('{"detail":"Binding not found"}');
  expect((await tenant.api.delete(`${path}/${made.body.id}`)).status).toBe(204);
  expect((await tenant.api.delete(`${path}/${made.body.id}`)).status).toBe(404);
  expect((await tenant.api.post(ofBea, binding)).status).toBe(201);
});
