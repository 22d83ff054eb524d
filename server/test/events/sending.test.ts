import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import {
  createEventEndpoint,
  deliveriesBecome,
  deliveriesOf,
  EventReceiver,
  emitEvents,
  type ReceivedEvent,
} from '../support/event-receiver.ts';
import { insertInstance } from '../support/instances.ts';
import { purgeAll, runJobs } from '../support/jobs.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const PATH = '/v1/event-endpoints';
/** So long that a busy machine does not take a receiver that answers for one that hangs. */
const PATIENCE_MS = 3000;

let service: TestService;
let tenant: TestTenant;
let receiver: EventReceiver;

beforeAll(async () => {
  const eventPace = { answerWithinMs: PATIENCE_MS, firstPauseMs: 50, mostPauseMs: 400 };
  service = await startTestService({ eventPace });
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  receiver = await EventReceiver.start();
});

const emit = (type: string, ...abouts: object[]) => emitEvents(service, tenant, type, ...abouts);
const endpoint = (id: string) =>
  tenant.api.get<{ is_active: boolean; last_error: string | null }>(`${PATH}/${id}`);
const signedBy = (secret: string, { raw, headers }: ReceivedEvent) =>
  new Webhook(secret).verify(raw, headers as Record<string, string>);

describe('an event', () => {
  it('comes signed, with the names of its instance, and is delivered', async () => {
    const { id, signing_secret } = await createEventEndpoint(tenant, receiver.url);
    const instance = await insertInstance(service, tenant.tenant_id);
    await emit('instance.failed', {
      instance_id: instance.id,
      customer_id: instance.customer_id,
      reason: 'crashed',
    });
    const [delivery] = await deliveriesBecome(tenant, id, {
      type: 'instance.failed',
      status: 'delivered',
      attempts: 1,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
    });
    const [event] = receiver.received;
    if (!event || !delivery) throw new Error('nothing came');
    expect(event.headers['webhook-id']).toBe(delivery.event_id);
    expect(signedBy(signing_secret, event)).toEqual({
      type: 'instance.failed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        instance_id: instance.id,
        hostname: 'agent',
        recipe_id: expect.any(String),
        recipe_name: 'Recipe',
        revision: 1,
        customer_id: instance.customer_id,
        reason: 'crashed',
      },
    });
    expect((await endpoint(id)).body).toMatchObject({
      last_delivered_at: expect.any(String),
      last_error: null,
    });
  });

  it('is signed by both secrets after a rotation, and by the new one alone after the overlap', async () => {
    const { id, signing_secret: former } = await createEventEndpoint(tenant, receiver.url);
    const rotate = async (overlap_seconds?: number) =>
      (await tenant.api.post<{ signing_secret: string }>(`${PATH}/${id}/rotate-secret`, { overlap_seconds }))
        .body.signing_secret;
    const second = await rotate();
    expect(await tenant.api.post(`${PATH}/${id}/test`)).toMatchObject({
      status: 202,
      body: { type: 'ping' },
    });
    await receiver.hasReceived(1);
    const third = await rotate(0);
    await tenant.api.post(`${PATH}/${id}/test`);
    await receiver.hasReceived(2);
    const [both, alone] = receiver.received;
    if (!both || !alone) throw new Error('nothing came');
    expect(both.body).toMatchObject({ type: 'ping', data: {} });
    for (const secret of [former, second]) expect(signedBy(secret, both)).toBeTruthy();
    expect(signedBy(third, alone)).toBeTruthy();
    expect(() => signedBy(second, alone)).toThrow('No matching signature found');
  });

  it('is one sentence with a link for a chat, escaped and unsigned', async () => {
    await createEventEndpoint(tenant, receiver.url, { format: 'slack' });
    const { id } = await insertInstance(service, tenant.tenant_id);
    await service.database.query('update instances set hostname = $2 where id = $1', [id, 'a<b>&c']);
    await emit('instance.failed', { instance_id: id });
    await receiver.hasReceived(1);
    const [slack] = receiver.received;
    expect(slack?.body).toEqual({
      text: `The agent a&lt;b&gt;&amp;c failed. <${service.base_url}/instances/${id}/timeline|Open>`,
    });
    expect(Object.keys(slack?.headers ?? {}).filter((name) => name.startsWith('webhook'))).toEqual([]);
    await createEventEndpoint(tenant, receiver.url, { format: 'teams', events: ['approval.requested'] });
    const approval_id = randomUUID();
    await emit('approval.requested', { instance_id: id, approval_id });
    await receiver.hasReceived(3);
    const teams = receiver.received.find(({ body }) => 'attachments' in body);
    expect(teams?.body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [{ type: 'TextBlock', text: 'The agent a<b>&c asks for an approval.' }],
            actions: [{ type: 'Action.OpenUrl', url: `${service.base_url}/approvals/${approval_id}` }],
          },
        },
      ],
    });
  });
});

describe('a receiver', () => {
  it.each<[string, EventReceiver['respond'], { last_status: number | null; last_error: string }]>([
    [
      'that redirects is not followed',
      (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      { last_status: 302, last_error: '302' },
    ],
    [
      'that fails',
      (response) => response.writeHead(503).end('inner words'),
      { last_status: 503, last_error: '503' },
    ],
    ['that hangs', () => {}, { last_status: null, last_error: 'timeout' }],
    ['that breaks off', (response) => response.destroy(), { last_status: null, last_error: 'unreachable' }],
  ])('%s, is called again with the same id until it takes the event', async (_, respond, failure) => {
    receiver.respond = respond;
    const { id, signing_secret } = await createEventEndpoint(tenant, receiver.url);
    await emit('instance.failed', {});
    const [delivery] = await deliveriesBecome(tenant, id, { status: 'pending', ...failure });
    expect(Date.parse(delivery?.next_attempt_at ?? '')).toBeGreaterThan(0);
    expect((await endpoint(id)).body).toMatchObject({ is_active: true, last_error: failure.last_error });
    receiver.respond = (response) => response.writeHead(200).end();
    const [taken] = await deliveriesBecome(tenant, id, {
      status: 'delivered',
      last_status: 200,
      last_error: null,
    });
    expect(taken?.attempts).toBe(receiver.received.length);
    expect(
      new Set(receiver.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`)),
    ).toEqual(new Set([`/events ${delivery?.event_id}`]));
    for (const event of receiver.received) expect(signedBy(signing_secret, event)).toBeTruthy();
  });

  it('that answers 50 MB is taken by its status, and its words are not read', async () => {
    let written = 0;
    const gone = new Promise<void>((resolve) => {
      receiver.respond = (response) => {
        const megabyte = Buffer.alloc(1024 * 1024);
        response.writeHead(200, { 'content-length': String(50 * megabyte.length) });
        const write = () => {
          while (written < 50 && !response.destroyed) {
            written++;
            if (!response.write(megabyte)) return response.once('drain', write);
          }
          return response;
        };
        response.once('close', () => resolve());
        write();
      };
    });
    const { id } = await createEventEndpoint(tenant, receiver.url);
    await emit('instance.failed', {});
    await deliveriesBecome(tenant, id, { status: 'delivered', last_status: 200 });
    await gone;
    expect(written).toBeLessThan(50);
  });

  it('that is away gets everything once it is back, in the order of each conversation', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const streams = await Promise.all([1, 2].map(() => insertInstance(service, tenant.tenant_id)));
    receiver.close();
    for (const percent of [1, 2, 3])
      await emit('budget.reached', ...streams.map((stream) => ({ instance_id: stream.id, percent })));
    // Those behind the first of a stream have not been tried.
    const wait = { status: 'pending', last_error: null, attempts: 0 };
    const tried = { status: 'pending', last_error: 'unreachable' };
    await deliveriesBecome(tenant, id, wait, wait, wait, wait, tried, tried);
    await receiver.open();
    await receiver.hasReceived(6);
    for (const { id: instance_id } of streams) {
      const own = receiver.received.filter(({ body }) => body.data.instance_id === instance_id);
      expect(own.map(({ body }) => body.data.percent)).toEqual([1, 2, 3]);
    }
  });

  it('that has had enough for a while is left alone as long as it says, whatever happens', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    receiver.respond = (response) => response.writeHead(429, { 'retry-after': '2' }).end();
    await emit('instance.failed', {});
    await deliveriesBecome(tenant, id, { last_status: 429 });
    receiver.respond = (response) => response.writeHead(204).end();
    await emit('instance.running', {});
    await receiver.hasReceived(3);
    const [refused, first] = receiver.received;
    expect((first?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  it('that is gone is switched off, and what waited has failed', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
    receiver.respond = (response) => response.writeHead(410).end();
    await emit('budget.reached', { instance_id, percent: 80 }, { instance_id, percent: 100 });
    const failed = { status: 'failed', last_error: 'switched_off', next_attempt_at: null };
    await deliveriesBecome(tenant, id, failed, { ...failed, last_status: 410 });
    expect((await endpoint(id)).body).toMatchObject({ is_active: false, last_error: '410' });
    await emit('budget.reached', { instance_id, percent: 100 });
    expect((await deliveriesOf(tenant, id)).total).toBe(2);
    expect(receiver.received).toHaveLength(1);
    expect((await tenant.api.patch(`${PATH}/${id}`, { is_active: true })).body).toMatchObject({
      is_active: true,
      last_error: null,
    });
  });

  it('that took nothing for 5 days in which it was called is switched off', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    receiver.respond = (response) => response.writeHead(500).end();
    await emit('instance.failed', {});
    await deliveriesBecome(tenant, id, { last_status: 500 });
    expect((await endpoint(id)).body).toMatchObject({ is_active: true });
    await service.database.query(
      `update event_endpoints set failing_since = failing_since - interval '5 days' where id = $1`,
      [id],
    );
    await deliveriesBecome(tenant, id, { status: 'failed', last_error: 'switched_off' });
    expect((await endpoint(id)).body).toMatchObject({
      is_active: false,
      last_error: 'nothing taken for 5 days',
    });
  });

  it('holds up at most four calls, which begin a tenth of a second apart, and no other endpoint', async () => {
    const slow = await createEventEndpoint(tenant, receiver.url);
    const well = await EventReceiver.start();
    await createEventEndpoint(tenant, well.url);
    let [atOnce, most] = [0, 0];
    receiver.respond = (response) => {
      most = Math.max(most, ++atOnce);
      response.once('close', () => atOnce--);
    };
    const began = performance.now();
    await emit('instance.failed', ...Array.from({ length: 12 }, (_, percent) => ({ percent })));
    await well.hasReceived(12);
    const rounds = 1 + Math.floor((performance.now() - began) / PATIENCE_MS);
    expect(receiver.received.length).toBeLessThanOrEqual(4 * rounds);
    await receiver.hasReceived(5);
    expect(most).toBe(4);
    // The first call may take a while to arrive, and then comes closer to the others than they began.
    const begun = well.received.map(({ at }) => at);
    expect((begun.at(-1) ?? 0) - (begun[0] ?? 0)).toBeGreaterThan((11 * 100) / 2);
    await tenant.api.delete(`${PATH}/${slow.id}`);
  });
});

const haveFailed = (id: string, count: number) =>
  expect.poll(async () => (await deliveriesOf(tenant, id, 'failed')).total).toBe(count);

describe('deliveries', () => {
  it('are given up after 24 hours, and the next of the conversation takes its turn', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
    receiver.respond = (response, { body }) => response.writeHead(body.data.percent === 80 ? 500 : 200).end();
    await emit('budget.reached', { instance_id, percent: 80 }, { instance_id, percent: 100 });
    const [, first] = await deliveriesBecome(tenant, id, { attempts: 0 }, { last_status: 500 });
    await service.database.query('update event_deliveries set give_up_at = now() where id = $1', [first?.id]);
    await deliveriesBecome(tenant, id, { status: 'delivered' }, { status: 'failed', last_error: '500' });
  });

  it('that are sent again keep the id of their event, and no later one waits for them', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const { id: instance_id } = await insertInstance(service, tenant.tenant_id);
    await emit('budget.reached', { instance_id, percent: 80 });
    const [delivered] = await deliveriesBecome(tenant, id, { status: 'delivered' });
    receiver.respond = (response, { body }) => response.writeHead(body.data.percent === 80 ? 500 : 200).end();
    const path = `${PATH}/${id}/deliveries/${delivered?.id}/redeliver`;
    expect((await tenant.api.post(path)).status).toBe(202);
    await deliveriesBecome(tenant, id, { status: 'pending', last_status: 500 });
    await emit('budget.reached', { instance_id, percent: 100 });
    await deliveriesBecome(tenant, id, { status: 'delivered' }, { status: 'pending' });
    const ids = receiver.received
      .filter(({ body }) => body.data.percent === 80)
      .map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([delivered?.event_id]));
    expect(ids.length).toBeGreaterThan(1);
  });

  it('beyond 10,000 that wait fail, the oldest first', async () => {
    receiver.respond = () => {};
    const { id } = await createEventEndpoint(tenant, receiver.url);
    await service.database.query(
      `select emit_event($1, 'budget.reached', jsonb_build_object('percent', n)) from generate_series(1, 10003) n`,
      [tenant.tenant_id],
    );
    await haveFailed(id, 3);
    const [counted] = await service.database.query<{ least: number; waiting: number }>(
      `select min((e.data ->> 'percent')::int) as least, count(*)::int as waiting
       from event_deliveries d join events e on e.id = d.event_id where d.endpoint_id = $1 and d.status = 'pending'`,
      [id],
    );
    expect(counted).toEqual({ least: 4, waiting: 10_000 });
    expect((await deliveriesOf(tenant, id, 'failed')).items[0]).toMatchObject({ last_error: 'overflow' });
    await tenant.api.delete(`${PATH}/${id}`);
  });

  it('beyond 10,000 fail also when their notification was lost', async () => {
    receiver.respond = () => {};
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const { end } = await openTransaction(
      service.database.url,
      ['alter table event_deliveries disable trigger wake_deliveries', []],
      [
        `select emit_event($1, 'budget.reached', jsonb_build_object('percent', n)) from generate_series(1, 10003) n`,
        [tenant.tenant_id],
      ],
      ['alter table event_deliveries enable trigger wake_deliveries', []],
    );
    await end('commit');
    await runJobs(service, 'wake_deliveries');
    await haveFailed(id, 3);
    await tenant.api.delete(`${PATH}/${id}`);
  });

  it('whose notification was lost are found', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    await service.database.query(
      `with event as (insert into events (tenant_id, type, at, data) values ($1, 'instance.failed', now(), '{}') returning *)
       insert into event_deliveries (tenant_id, endpoint_id, event_id, at) select tenant_id, $2, id, at from event`,
      [tenant.tenant_id, id],
    );
    await service.database.query(`delete from jobs where kind = 'send_events' and key = $1`, [id]);
    await runJobs(service, 'wake_deliveries');
    await deliveriesBecome(tenant, id, { status: 'delivered' });
  });

  it('rest while their tenant is switched off', async () => {
    const { id } = await createEventEndpoint(tenant, receiver.url);
    const setActive = (is_active: boolean) =>
      service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { is_active });
    expect((await setActive(false)).status).toBe(200);
    await emit('instance.failed', {});
    const other = await service.createTenant();
    await createEventEndpoint(other, receiver.url);
    await emitEvents(service, other, 'instance.running', {});
    await receiver.hasReceived(1);
    expect(receiver.types).toEqual(['instance.running']);
    await setActive(true);
    await deliveriesBecome(tenant, id, { status: 'delivered' });
  });

  it('are kept for 7 days, those that wait longer', async () => {
    receiver.respond = (response, { body }) =>
      response.writeHead(body.type === 'instance.failed' ? 500 : 200).end();
    const { id } = await createEventEndpoint(tenant, receiver.url);
    await emit('instance.failed', {});
    await emit('instance.running', {});
    await deliveriesBecome(tenant, id, { status: 'delivered' }, { status: 'pending', last_status: 500 });
    const purge = () => purgeAll(service, ['events_out']);
    await service.database.query(
      `update events set at = at - interval '7 days' + interval '1 minute' where tenant_id = $1`,
      [tenant.tenant_id],
    );
    await purge();
    expect((await deliveriesOf(tenant, id)).total).toBe(2);
    await service.database.query(`update events set at = at - interval '1 minute' where tenant_id = $1`, [
      tenant.tenant_id,
    ]);
    await purge();
    expect((await deliveriesOf(tenant, id)).items).toMatchObject([{ type: 'instance.failed' }]);
  });
});

it('counts what became of calls, and what waits', async () => {
  receiver.respond = (response) => response.writeHead(500).end();
  const { id } = await createEventEndpoint(tenant, receiver.url);
  await emit('instance.failed', {});
  await deliveriesBecome(tenant, id, { last_status: 500 });
  const { text } = await service.anonymous.get('/metrics');
  expect(text).toMatch(/^acp_event_deliveries_total\{outcome="retried"\} [1-9]/m);
  expect(text).toMatch(/^acp_event_deliveries_waiting \d+$/m);
});
