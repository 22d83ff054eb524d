import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tellDueEvents } from '../../src/events/due-events.ts';
import { createAgent, uniqueId, uniqueSender } from '../support/conversations.ts';
import { createEventEndpoint } from '../support/event-receiver.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { sendMessages, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
});

/** Data of the events that the job tells now. */
async function told(...kinds: string[]): Promise<Record<string, unknown>[]> {
  const count = async () => {
    const rows = await service.database.query<{ data: Record<string, unknown>; type: string }>(
      'select type, data from events where tenant_id = $1 order by at',
      [tenant.tenant_id],
    );
    return rows.filter(({ type }) => kinds.includes(type)).map(({ data }) => data);
  };
  const before = (await count()).length;
  await tellDueEvents(service.service.services, new AbortController().signal);
  const after = await count();
  return after.length === before ? [] : after.slice(before - after.length);
}

const subscribe = (...events: string[]) => createEventEndpoint(tenant, 'https://example.com/', { events });
const day = (days: number) =>
  new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

describe('a conversation that a person has', () => {
  it('is told of when its sender has waited for 5 minutes, once until somebody answers', async () => {
    await subscribe('conversation.waiting');
    const agent = await createAgent(service, tenant);
    const sender = uniqueSender();
    const write = () => sendMessages(service, agent, textMessage(uniqueId(), 'hello', sender));
    await write();
    const [row] = await service.database.query<{ id: string }>(
      'select id from conversations where instance_id = $1',
      [agent.instance.id],
    );
    const conversation_id = row?.id ?? expect.unreachable();
    const path = `/v1/conversations/${conversation_id}`;
    const age = (minutes: number) =>
      service.database.query(
        `update channel_messages set sent_at = now() - make_interval(mins => $2) where conversation_id = $1`,
        [conversation_id, minutes],
      );
    await age(6);
    expect(await told('conversation.waiting')).toEqual([]);
    await tenant.api.patch(path, { mode: 'human' });
    await age(4);
    expect(await told('conversation.waiting')).toEqual([]);
    await age(6);
    const { id: instance_id, customer_id } = agent.instance;
    expect(await told('conversation.waiting')).toEqual([
      expect.objectContaining({
        instance_id,
        customer_id,
        conversation_id,
        channel: 'chatapp',
        hostname: 'agent',
      }),
    ]);
    await write();
    await age(10);
    expect(await told('conversation.waiting')).toEqual([]);
    expect((await tenant.api.post(`${path}/messages`, { text: 'Here I am' })).status).toBe(202);
    await age(10);
    expect(await told('conversation.waiting')).toEqual([]);
    await write();
    await age(6);
    expect(await told('conversation.waiting')).toHaveLength(1);
  });
});

describe('a certificate', () => {
  it('is told of at 42 and at 7 days, and once where it is within 7 days at once', async () => {
    await subscribe('certification.expiring');
    const crew = await Crew.gather(service, tenant, 'Australia/Sydney');
    const ends = [day(5), `${day(20)}T10:00:00`, `${day(30)}T10:00:00+02:00`, day(40 + 14)] as const;
    const certifications = [
      { type: 'Crane', expires_at: ends[0] },
      { type: 'Welding', expires_at: ends[1] },
      { name: 'First Aid', expires_at: ends[2] },
      { type: 'Far', expires_at: day(90) },
      { type: 'Over', expires_at: day(-3) },
      'No end',
    ];
    const person = await crew.add({ name: 'Ada', certifications });
    const { customer_id } = crew.instance;
    const event = (certification_type: string, expires_at: string) => ({
      customer_id,
      person_id: person.id,
      certification_type,
      expires_at,
    });
    const [crane, welding, first_aid] = [
      event('Crane', ends[0]),
      event('Welding', ends[1]),
      event('First Aid', ends[2]),
    ];
    const first = await told('certification.expiring');
    expect(first).toHaveLength(3);
    expect(first).toEqual(expect.arrayContaining([crane, welding, first_aid]));
    expect(await told('certification.expiring')).toEqual([]);
    service.clock.advance(14 * 86_400_000);
    expect(await told('certification.expiring')).toEqual([welding]);
    expect(await told('certification.expiring')).toEqual([]);
    await crew.change(person, { certifications: [{ type: 'Welding', expires_at: ends[3] }] });
    expect(await told('certification.expiring')).toEqual([event('Welding', ends[3])]);
    service.clock.advance(-14 * 86_400_000);
  });

  it('of a person that has left is not told of', async () => {
    await subscribe('*');
    const crew = await Crew.gather(service, tenant);
    const person = await crew.add({ name: 'Ada', certifications: [{ type: 'Crane', expires_at: day(5) }] });
    await crew.change(person, { status: 'terminated' });
    expect(await told('certification.expiring')).toEqual([]);
  });
});

describe('a connection', () => {
  it('is told of once its time is over, once for each time', async () => {
    await subscribe('*');
    const { customer_path, instance } = await Crew.gather(service, tenant);
    const { customer_id } = instance;
    const { body } = await tenant.api.post<{ id: string }>(`${customer_path}/connections`, {
      provider: 'crm',
      credentials: {},
      expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString(),
    });
    expect(await told('connection.expired')).toEqual([]);
    service.clock.advance(61_000);
    expect(await told('connection.expired')).toEqual([
      {
        customer_id,
        connection_id: body.id,
        provider: 'crm',
        reason: 'expired',
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect(await told('connection.expired')).toEqual([]);
    const again = new Date(service.clock.now().getTime() + 60_000).toISOString();
    await tenant.api.patch(`${customer_path}/connections/${body.id}`, { expires_at: again });
    service.clock.advance(61_000);
    expect(await told('connection.expired')).toHaveLength(1);
  });
});

it('nothing is marked as told that nobody wanted', async () => {
  const crew = await Crew.gather(service, tenant);
  await crew.add({ name: 'Ada', certifications: [{ type: 'Crane', expires_at: day(5) }] });
  await subscribe('connection.expired');
  expect(await told('certification.expiring')).toEqual([]);
  await subscribe('certification.expiring');
  expect(await told('certification.expiring')).toHaveLength(1);
});
