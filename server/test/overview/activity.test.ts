import { expect, it } from 'vitest';
import { conversationWith, uniqueSender, write } from '../support/conversations.ts';
import { sharedService, type TestTenant } from '../support/service.ts';
import { createEndpoint, type TestEndpoint } from '../support/webhook.ts';

interface Item {
  at: string;
  received: number;
  by_agent: number;
  by_person: number;
  failed: number;
}
interface Activity {
  items: Item[];
  answer_seconds_p50: number | null;
}

const service = await sharedService('idle');

const read = async ({ api }: TestTenant, query = ''): Promise<Activity> => {
  const { status, body } = await api.get<Activity>(`/v1/activity${query}`);
  expect(status).toBe(200);
  return body;
};

const sums = ({ items }: Activity) => {
  const sum = (name: Exclude<keyof Item, 'at'>) => items.reduce((total, item) => total + item[name], 0);
  return [sum('received'), sum('by_agent'), sum('by_person'), sum('failed')];
};

/** Rows of one conversation. @param minutes before now */
async function say(
  tenant: TestTenant,
  agent: TestEndpoint,
  ...messages: [author: string, status: string, minutes: number][]
) {
  const sender = uniqueSender();
  await write(service, agent, sender, 'Hello');
  const { id } = await conversationWith(tenant, agent, sender);
  await service.database.query('delete from channel_messages where conversation_id = $1', [id]);
  // In one statement, whose now() is one time: the times between them are exact.
  await service.database.query(
    `insert into channel_messages (tenant_id, instance_id, channel, external_id, status, give_up_at, conversation_id,
       direction, author, received_at)
     select tenant_id, instance_id, channel, external_id, m.status, now(), id,
       case when m.author = 'sender' then 'in' else 'out' end, m.author, now() - m.minutes * interval '1 minute'
     from conversations, unnest($2::text[], $3::text[], $4::int[]) with ordinality as m (author, status, minutes, place)
     where id = $1 order by m.place`,
    [
      id,
      messages.map(([author]) => author),
      messages.map(([, status]) => status),
      messages.map(([, , minutes]) => minutes),
    ],
  );
}

it('counts messages by quarters of an hour, zeros included', async () => {
  const tenant = await service.createTenant();
  const agent = await createEndpoint(service, tenant);
  await say(tenant, agent, ['sender', 'handled', 50], ['agent', 'delivered', 48], ['person', 'failed', 20]);
  await say(tenant, agent, ['sender', 'handled', 9 * 60], ['agent', 'read', 9 * 60 - 1]);
  const activity = await read(tenant);
  expect(activity.items).toHaveLength(96);
  const times = activity.items.map(({ at }) => new Date(at).getTime());
  expect(
    times.every((time, index) => time % 900_000 === 0 && time === (times[0] ?? 0) + index * 900_000),
  ).toBe(true);
  expect(times.at(-1)).toBeGreaterThan(Date.now() - 920_000);
  expect(sums(activity)).toEqual([2, 2, 1, 1]);
  const short = await read(tenant, '?hours=2');
  expect(short.items).toHaveLength(8);
  expect(sums(short)).toEqual([1, 1, 1, 1]);
  expect((await read(tenant, '?hours=168')).items).toHaveLength(168);
});

it('tells how soon half of the senders were answered', async () => {
  const tenant = await service.createTenant();
  const agent = await createEndpoint(service, tenant);
  expect(await read(tenant)).toMatchObject({ answer_seconds_p50: null });
  // The second message of two is no wait of its own, and what was not sent is no answer.
  await say(tenant, agent, ['sender', 'handled', 60], ['sender', 'handled', 59], ['agent', 'sent', 58]);
  await say(tenant, agent, ['sender', 'handled', 50], ['agent', 'failed', 49], ['person', 'sent', 40]);
  await say(tenant, agent, ['sender', 'handled', 30], ['agent', 'sent', 26], ['sender', 'handled', 1]);
  expect(await read(tenant)).toMatchObject({ answer_seconds_p50: 240 });
});

it('is of one instance, or of all', async () => {
  const tenant = await service.createTenant();
  const agents = [await createEndpoint(service, tenant), await createEndpoint(service, tenant)] as const;
  for (const agent of agents) await write(service, agent, uniqueSender(), 'Hello');
  expect(sums(await read(tenant))).toEqual([2, 0, 0, 0]);
  const of = `?instance_id=${agents[0].instance.id}`;
  expect(sums(await read(tenant, of))).toEqual([1, 0, 0, 0]);
  await write(service, agents[0], uniqueSender(), 'Hello');
  expect(sums(await read(tenant, of))).toEqual([2, 0, 0, 0]);
});

it('goes back a week at most', async () => {
  const { api } = await service.createTenant();
  for (const hours of [0, 169]) expect((await api.get(`/v1/activity?hours=${hours}`)).status).toBe(422);
});
