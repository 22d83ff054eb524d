import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEventEndpoint, deliveriesOf, emitEvents } from '../support/event-receiver.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

const PATH = '/v1/event-endpoints';
const URL_OF_RECEIVER = 'https://receiver.example.com/events?key=secret-key';

interface Faults {
  detail: { loc: string[]; type: string }[];
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant();
});

const typesOf = async (of: TestTenant, id: string) =>
  (await deliveriesOf(of, id)).items.map(({ type }) => type);

const post = (json: object) =>
  tenant.api.post<Faults>(PATH, { url: URL_OF_RECEIVER, events: ['*'], ...json });

describe('an event endpoint', () => {
  it('is made, shown, changed and removed, with its secret shown once and nothing readable stored', async () => {
    const made = await createEventEndpoint(tenant, URL_OF_RECEIVER, {
      events: ['instance.failed', 'approval.requested'],
      description: 'Help desk',
    });
    expect(made).toMatchObject({
      url: URL_OF_RECEIVER,
      events: ['instance.failed', 'approval.requested'],
      description: 'Help desk',
      format: 'standard',
      is_active: true,
      last_delivered_at: null,
      last_error: null,
      signing_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const { signing_secret, ...shown } = made;
    const of = `${PATH}/${made.id}`;
    expect((await tenant.api.get(of)).body).toEqual(shown);
    expect((await tenant.api.get(PATH)).body).toMatchObject({ items: [shown], total: 1 });
    const changed = await tenant.api.patch(of, { events: ['*'], description: null, is_active: false });
    expect(changed.body).toMatchObject({
      url: URL_OF_RECEIVER,
      events: ['*'],
      description: null,
      is_active: false,
    });
    const [row] = await service.database.query<{ text: string }>(
      'select e::text as text from event_endpoints e where id = $1',
      [made.id],
    );
    for (const secret of [signing_secret, URL_OF_RECEIVER]) {
      expect(row?.text).not.toContain(secret);
      expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect((await tenant.api.delete(of)).status).toBe(204);
    for (const answer of [
      tenant.api.get(of),
      tenant.api.delete(of),
      tenant.api.patch(of, {}),
      tenant.api.post(`${of}/rotate-secret`, {}),
      tenant.api.post(`${of}/test`),
      tenant.api.get(`${of}/deliveries`),
      tenant.api.post(`${of}/deliveries/${randomUUID()}/redeliver`),
    ])
      expect(await answer).toMatchObject({ status: 404, body: { detail: 'Event endpoint not found' } });
  });

  it('of a chat shows the host of its address alone, even once it is told of events as a program is', async () => {
    const url = 'https://hooks.chat.example.com/T0/B0/secret-path';
    const made = await createEventEndpoint(tenant, url, { format: 'slack' });
    expect(made).toMatchObject({ url: 'hooks.chat.example.com', format: 'slack' });
    const of = `${PATH}/${made.id}`;
    const standard = await tenant.api.patch(of, { format: 'standard' });
    expect(standard.body).toMatchObject({ url: 'hooks.chat.example.com', format: 'standard' });
    const moved = await tenant.api.patch(of, { url: URL_OF_RECEIVER });
    expect(moved.body).toMatchObject({ url: URL_OF_RECEIVER });
    const chat = await tenant.api.patch(of, { format: 'teams' });
    expect(chat.body).toMatchObject({ url: 'receiver.example.com' });
    expect((await tenant.api.get(PATH)).text).not.toContain('secret');
  });

  it.each([
    ['http://example.com/', 'value_error'],
    ['https://127.0.0.2/', 'value_error'],
    ['https://localhost/', 'value_error'],
    ['https://[::ffff:10.0.0.1]/', 'value_error'],
    ['https://169.254.169.254/latest', 'value_error'],
    ['https://user:password@example.com/', 'string_pattern_mismatch'],
    ['ftp://example.com/', undefined],
    ['not a url', undefined],
    [`https://example.com/${'x'.repeat(2000)}`, 'string_too_long'],
  ])('is not made for %s', async (url, type) => {
    const { status, body } = await post({ url });
    expect([status, body.detail[0]?.loc]).toEqual([422, ['body', 'url']]);
    if (type !== undefined) expect(body.detail.map((fault) => fault.type)).toContain(type);
  });

  it.each([
    [{ events: [] }, ['body', 'events']],
    [{ events: ['ping'] }, ['body', 'events', '0']],
    [{ events: ['instance.sleeping'] }, ['body', 'events', '0']],
    [{ events: 'instance.failed' }, ['body', 'events']],
    [{ format: 'discord' }, ['body', 'format']],
    [{ description: 'x'.repeat(201) }, ['body', 'description']],
    [{ is_active: 'yes' }, ['body', 'is_active']],
  ])('is not made with %j', async (settings, loc) => {
    const { status, body } = await post(settings);
    expect([status, body.detail[0]?.loc]).toEqual([422, loc]);
  });

  it('is the business of admins whose key holds the scope', async () => {
    const { id } = await createEventEndpoint(tenant, URL_OF_RECEIVER);
    const as = async (role: 'admin' | 'member', ...scopes: string[]) =>
      service.anonymous.with({ 'x-api-key': await service.createKey(tenant.tenant_id, { role, scopes }) });
    const [member, reader] = [await as('member', 'events:*'), await as('admin', 'events:read')];
    expect((await member.get(PATH)).status).toBe(403);
    expect((await reader.get(`${PATH}/${id}/deliveries`)).status).toBe(200);
    expect((await reader.post(`${PATH}/${id}/test`)).status).toBe(403);
    expect((await (await as('admin', 'events:write')).delete(`${PATH}/${id}`)).status).toBe(403);
  });
});

describe('events', () => {
  it('are kept for active endpoints that want them, and for nobody else', async () => {
    const failures = await createEventEndpoint(tenant, URL_OF_RECEIVER, { events: ['instance.failed'] });
    const all = await createEventEndpoint(tenant, URL_OF_RECEIVER);
    const off = await createEventEndpoint(tenant, URL_OF_RECEIVER, { is_active: false });
    const other = await service.createTenant();
    const others = await createEventEndpoint(other, URL_OF_RECEIVER);
    await emitEvents(service, tenant, 'instance.running', {});
    await emitEvents(service, tenant, 'instance.failed', {});
    expect(await typesOf(tenant, failures.id)).toEqual(['instance.failed']);
    expect(await typesOf(tenant, all.id)).toEqual(['instance.failed', 'instance.running']);
    expect(await typesOf(tenant, off.id)).toEqual([]);
    expect(await typesOf(other, others.id)).toEqual([]);
    await tenant.api.patch(`${PATH}/${all.id}`, { is_active: false });
    await tenant.api.delete(`${PATH}/${failures.id}`);
    await emitEvents(service, tenant, 'instance.failed', {});
    const [counted] = await service.database.query<{ events: number }>(
      'select count(*)::int as events from events where tenant_id = $1',
      [tenant.tenant_id],
    );
    expect(counted?.events).toBe(2);
  });

  it('that waited for an endpoint that is switched off have failed, and are sent again only once it is on', async () => {
    const { id } = await createEventEndpoint(tenant, URL_OF_RECEIVER);
    await emitEvents(service, tenant, 'instance.failed', {});
    await tenant.api.patch(`${PATH}/${id}`, { is_active: false });
    const [delivery] = (await deliveriesOf(tenant, id, 'failed')).items;
    expect(delivery).toMatchObject({ status: 'failed', last_error: 'switched_off', next_attempt_at: null });
    const again = () => tenant.api.post(`${PATH}/${id}/deliveries/${delivery?.id}/redeliver`);
    expect((await again()).status).toBe(409);
    expect((await tenant.api.post(`${PATH}/${id}/test`)).status).toBe(409);
    await tenant.api.patch(`${PATH}/${id}`, { is_active: true });
    expect(await again()).toMatchObject({ status: 202, body: { id: delivery?.id, status: 'pending' } });
    expect((await deliveriesOf(tenant, id, 'pending')).total).toBe(1);
    const unknown = await tenant.api.post(`${PATH}/${id}/deliveries/${randomUUID()}/redeliver`);
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'Delivery not found' } });
  });
});
