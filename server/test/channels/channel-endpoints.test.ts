import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import {
  changeFor,
  createEndpoint,
  deliver,
  payloadOf,
  sendMessages,
  textMessage,
} from '../support/webhook.ts';

const PATH = '/v1/channel-endpoints';

let service: TestService;
let tenant: TestTenant;
let other: TestTenant;
let instance: TestInstance;

beforeAll(async () => {
  service = await sharedService('working');
  [tenant, other] = await Promise.all([service.createTenant('Acme'), service.createTenant('Other')]);
  instance = await insertInstance(service, tenant.tenant_id);
});

const settings = (change: object = {}) => ({
  channel: 'chatapp',
  phone_number_id: randomUUID(),
  instance_id: instance.id,
  verify_token: 'a-verify-token-of-the-tests',
  app_secret: 'an-app-secret-of-the-tests',
  ...change,
});

describe('channel endpoints', () => {
  it('are created, without secrets in the response', async () => {
    const body = settings();
    const made = await tenant.api.post<{ id: string }>(PATH, body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String) as string,
      tenant_id: tenant.tenant_id,
      channel: 'chatapp',
      phone_number_id: body.phone_number_id,
      instance_id: instance.id,
      hostname: 'agent',
      customer_id: null,
      customer_name: null,
      connection_name: null,
      verified_at: null,
      last_received_at: null,
      webhook_url: `${service.base_url}/hooks/chatapp`,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    const listed = await tenant.api.get<{ items: { id: string }[]; total: number }>(PATH);
    expect(listed.body.items[0]).toEqual(made.body);
    expect(listed.text).not.toContain('an-app-secret');
    const [row] = await service.database.query<{ text: string }>(
      'select channel_endpoints::text as text from channel_endpoints where id = $1',
      [made.body.id],
    );
    expect(row?.text).not.toContain(Buffer.from('an-app-secret').toString('hex'));
    expect(row?.text).not.toContain(Buffer.from('a-verify-token').toString('hex'));
  });

  it('say when the channel verified them, and when the last message came', async () => {
    interface Seen {
      id: string;
      verified_at: string | null;
      last_received_at: string | null;
    }
    const endpoint = await createEndpoint(service, tenant);
    const seen = async () => {
      const { body } = await tenant.api.get<{ items: Seen[] }>(`${PATH}?search=${endpoint.phone_number_id}`);
      return body.items[0] ?? expect.unreachable();
    };
    expect(await seen()).toMatchObject({ verified_at: null, last_received_at: null });
    const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': endpoint.verify_token });
    expect((await service.anonymous.get(`/hooks/chatapp?${query.toString()}`)).status).toBe(200);
    const verified = await seen();
    expect(verified).toMatchObject({ verified_at: expect.any(String), last_received_at: null });
    expect((await sendMessages(service, endpoint, textMessage('one', 'hello'))).status).toBe(200);
    const received = await seen();
    expect(received.last_received_at).toEqual(expect.any(String));
    expect((received.verified_at ?? '') >= (verified.verified_at ?? '')).toBe(true);
    const changed = { verify_token: 'another-verify-token', app_secret: 'another-app-secret' };
    const { body: patched } = await tenant.api.patch<Seen>(`${PATH}/${endpoint.id}`, changed);
    expect(patched).toMatchObject({ verified_at: null, last_received_at: received.last_received_at });
  });

  it('have the names of their customer and instance, after a change too', async () => {
    const { id } = await createEndpoint(service, tenant);
    const { customer_id } = instance;
    await service.database.query("update customers set company_name = 'Acme' where id = $1", [customer_id]);
    const change = { instance_id: instance.id, customer_id };
    const { body } = await tenant.api.patch(`${PATH}/${id}`, change);
    expect(body).toMatchObject({ ...change, customer_name: 'Acme', hostname: 'agent' });
    const key = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['channels:read'] });
    const listed = await service.anonymous.with({ 'x-api-key': key }).get<{ items: object[] }>(PATH);
    expect(listed.body.items[0]).toMatchObject({ customer_id, customer_name: 'Acme' });
  });

  it('take short secrets and warn of them', async () => {
    const made = await tenant.api.post<{ id: string; warnings: string[] }>(
      PATH,
      settings({ app_secret: 'a', verify_token: 'x'.repeat(15) }),
    );
    expect(made.status).toBe(201);
    expect(made.body.warnings).toEqual([
      expect.stringContaining('verify_token'),
      expect.stringContaining('app_secret'),
    ]);
    const path = `${PATH}/${made.body.id}`;
    const changed = await tenant.api.patch<{ warnings: string[] }>(path, { app_secret: 'b' });
    expect(changed.body.warnings).toEqual([expect.stringContaining('app_secret')]);
    const better = await tenant.api.patch(path, { app_secret: 'x'.repeat(16) });
    expect(better.body).not.toHaveProperty('warnings');
  });

  it('need an instance of the tenant', async () => {
    const theirs = await insertInstance(service, other.tenant_id);
    const endpoint = await createEndpoint(service, tenant);
    for (const instance_id of [theirs.id, randomUUID()]) {
      const given = settings({ instance_id });
      const created = await tenant.api.post(PATH, given);
      expect(created).toMatchObject({ status: 404, body: { detail: 'Instance not found' } });
      const kept = 'select from channel_endpoints where phone_number_id = $1';
      expect(await service.database.query(kept, [given.phone_number_id])).toEqual([]);
      const moved = await tenant.api.patch(`${PATH}/${endpoint.id}`, { instance_id });
      expect(moved).toMatchObject({ status: 404, body: { detail: 'Instance not found' } });
    }
  });

  it('take a number once within a tenant, also when another tenant has registered it', async () => {
    const { phone_number_id } = await createEndpoint(service, other);
    expect((await tenant.api.post(PATH, settings({ phone_number_id }))).status).toBe(201);
    const own = await createEndpoint(service, tenant);
    const detail = `The phone number id ${phone_number_id} is registered already`;
    const created = await tenant.api.post(PATH, settings({ phone_number_id }));
    expect(created).toMatchObject({ status: 409, body: { detail } });
    const moved = await tenant.api.patch(`${PATH}/${own.id}`, { phone_number_id });
    expect(moved).toMatchObject({ status: 409, body: { detail } });
    const unknown = await tenant.api.post(PATH, settings({ phone_number_id, instance_id: randomUUID() }));
    expect(unknown.status).toBe(404);
  });

  it('are registered once when the same number comes 20 times at once', async () => {
    const body = settings();
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.api.post(PATH, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('are changed field by field', async () => {
    const endpoint = await createEndpoint(service, tenant);
    const phone_number_id = randomUUID();
    const changed = await tenant.api.patch(`${PATH}/${endpoint.id}`, { phone_number_id });
    expect(changed).toMatchObject({
      status: 200,
      body: { phone_number_id, instance_id: endpoint.instance.id },
    });
    const payload = payloadOf(changeFor(phone_number_id, textMessage('wamid.1', 'Hello')));
    expect((await deliver(service, payload, endpoint.app_secret)).status).toBe(200);
    await tenant.api.patch(`${PATH}/${endpoint.id}`, { app_secret: 'the-next-one' });
    expect((await deliver(service, payload, endpoint.app_secret)).status).toBe(401);
    expect((await deliver(service, payload, 'the-next-one')).status).toBe(200);
  });

  it('of another tenant are 404', async () => {
    const { id } = await createEndpoint(service, other);
    expect((await tenant.api.patch(`${PATH}/${id}`, { verify_token: 'x' })).status).toBe(404);
    expect((await tenant.api.delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await tenant.api.get(PATH)).text).not.toContain(id);
    expect((await other.api.delete(`${PATH}/${id}`)).status).toBe(204);
    expect((await other.api.delete(`${PATH}/${id}`)).status).toBe(404);
  });

  it('report all faults of a request', async () => {
    const { status, body } = await tenant.api.post<{ detail: { loc: string[]; type: string }[] }>(PATH, {
      channel: 'pigeon',
      phone_number_id: '',
      instance_id: 'x',
      verify_token: 1,
    });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).toSorted()).toEqual([
      'body.app_secret missing',
      'body.channel literal_error',
      'body.instance_id uuid_parsing',
      'body.phone_number_id string_too_short',
      'body.verify_token string_type',
    ]);
  });

  it('are for admins and keys with the scope', async () => {
    const reader = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['channels:read'] });
    const member = await service.createKey(tenant.tenant_id, { scopes: ['*'] });
    const as = (key: string) => service.anonymous.with({ 'x-api-key': key });
    expect((await as(reader).get(PATH)).status).toBe(200);
    expect((await as(reader).post(PATH, settings())).status).toBe(403);
    expect((await as(member).get(PATH)).status).toBe(403);
  });
});
