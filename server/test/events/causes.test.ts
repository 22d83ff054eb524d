import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/db/sql.ts';
import { addToken, createAgent, uniqueId, uniqueSender } from '../support/conversations.ts';
import { createEventEndpoint, deliveriesOf } from '../support/event-receiver.ts';
import { insertInstance, setInstanceStatus } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { sendMessages, textMessage } from '../support/webhook.ts';

interface Kept {
  type: string;
  data: Record<string, unknown>;
}

let service: TestService;
let tenant: TestTenant;
let endpoint_id: string;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  endpoint_id = (await createEventEndpoint(tenant, 'https://example.com/')).id;
});

const query = (text: string, ...values: unknown[]) => service.database.query<{ id: string }>(text, values);

/** Oldest first. */
const events = () =>
  service.database.query<Kept>(
    `select e.type, e.data from event_deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = $1 order by d.number`,
    [endpoint_id],
  );
const types = async () => (await events()).map(({ type }) => type);

/** Data that every event of an instance has. */
const of = ({ id, customer_id }: { id: string; customer_id?: string }) => ({
  instance_id: id,
  hostname: 'agent',
  recipe_id: expect.any(String),
  recipe_name: 'Recipe',
  revision: 1,
  ...(customer_id !== undefined && { customer_id }),
});

/** An agent with a conversation of one message. */
async function talking() {
  const agent = await createAgent(service, tenant);
  await sendMessages(service, agent, textMessage(uniqueId(), 'private words', uniqueSender()));
  const [conversation] = await query(
    'select id from conversations where instance_id = $1',
    agent.instance.id,
  );
  const conversation_id = conversation?.id ?? expect.unreachable();
  const place = { ...of(agent.instance), conversation_id, channel: 'chatapp' };
  return { agent, conversation_id, place };
}

describe('an instance', () => {
  it('is told of each time that it runs, and when it fails or ends', async () => {
    const instance = await insertInstance(service, tenant.tenant_id, { status: 'pending' });
    const statuses = ['provisioning', 'running', 'stopped', 'running', 'failed', 'terminating', 'terminated'];
    for (const status of statuses) {
      if (status === 'failed')
        await query(`update runtimes set reason = 'crashed' where instance_id = $1`, instance.id);
      await setInstanceStatus(service, instance.id, status);
    }
    expect(await events()).toEqual([
      { type: 'instance.running', data: of(instance) },
      { type: 'instance.running', data: of(instance) },
      { type: 'instance.failed', data: expect.objectContaining(of(instance)) },
      { type: 'instance.terminated', data: of(instance) },
    ]);
  });

  it('that serves several customers is told of without one', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id, {
      status: 'stopped',
      hosting_mode: 'shared',
    });
    await setInstanceStatus(service, id, 'running');
    expect(await events()).toEqual([{ type: 'instance.running', data: of({ id }) }]);
  });

  it('is told of when an upgrade has succeeded', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    for (const status of ['failed', 'succeeded']) {
      const [task] = await query(
        `insert into tasks (tenant_id, instance_id, kind, status) values ($1, $2, 'upgrade', 'running') returning id`,
        tenant.tenant_id,
        instance.id,
      );
      await query('update tasks set status = $2 where id = $1', task?.id, status);
    }
    expect(await events()).toEqual([{ type: 'instance.upgraded', data: of(instance) }]);
  });

  it('is told of at 80 and at 100 per cent of its budget, and a customer and the tenant too', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const whose = [
      [instance.id, null],
      [null, instance.customer_id],
      [null, null],
    ];
    for (const [instance_id, customer_id] of whose) {
      const [tenant_id, month] = [tenant.tenant_id, '2026-11-01'];
      const of_row = [tenant_id, month, instance_id, customer_id];
      await query(
        'insert into llm_spending (tenant_id, month, instance_id, customer_id) values ($1, $2, $3, $4)',
        ...of_row,
      );
      for (const told of [80, 100, 0])
        await query(
          `update llm_spending set told = $5 where tenant_id = $1 and month = $2
             and instance_id is not distinct from $3 and customer_id is not distinct from $4`,
          ...of_row,
          told,
        );
    }
    const { customer_id } = instance;
    const each = [of(instance), { customer_id }, {}];
    expect(await events()).toEqual(
      each.flatMap((data) =>
        [80, 100].map((percent) => ({ type: 'budget.reached', data: { ...data, percent } })),
      ),
    );
  });
});

describe('a conversation', () => {
  it('is told of when it begins, and when the agent hands it over, not when a person takes it', async () => {
    const { agent, conversation_id, place } = await talking();
    const path = `/v1/conversations/${conversation_id}`;
    expect((await tenant.api.patch(path, { mode: 'human' })).status).toBe(200);
    await tenant.api.patch(path, { mode: 'agent' });
    const handover = `/internal/v1/instances/${agent.instance.id}/conversations/${conversation_id}/handover`;
    const reason = 'a private reason';
    for (let times = 0; times < 2; times++)
      expect((await service.operations.post(handover, { reason })).status).toBe(200);
    expect(await events()).toEqual([
      { type: 'conversation.started', data: place },
      { type: 'conversation.handover', data: place },
    ]);
    expect(JSON.stringify(await events())).not.toContain('private');
  });

  it('is told of when one of its messages failed or reached no agent', async () => {
    const { conversation_id, place } = await talking();
    await query(
      `update channel_messages set status = 'dead', last_error = 'private' where conversation_id = $1`,
      conversation_id,
    );
    const [failed] = await query(
      `insert into channel_messages (tenant_id, instance_id, conversation_id, channel, external_id, direction, author, status, give_up_at)
       select tenant_id, instance_id, id, channel, external_id, 'out', 'agent', 'failed', now() from conversations
       where id = $1 returning id`,
      conversation_id,
    );
    const message_id = expect.any(String);
    expect((await events()).slice(1)).toEqual([
      { type: 'message.dead', data: { ...place, message_id } },
      { type: 'message.failed', data: { ...place, message_id: failed?.id } },
    ]);
  });

  it('and its customer take the events about them along', async () => {
    const { conversation_id } = await talking();
    const other = await talking();
    await tenant.api.delete(`/v1/conversations/${conversation_id}`);
    expect((await deliveriesOf(tenant, endpoint_id)).items).toHaveLength(1);
    expect(await types()).toEqual(['conversation.started']);
    await setInstanceStatus(service, other.agent.instance.id, 'terminated');
    await query('update deployments set released_at = now() where instance_id = $1', other.agent.instance.id);
    expect(await types()).toContain('instance.terminated');
    const erased = await tenant.api.delete(`/v1/customers/${other.agent.instance.customer_id}`);
    expect(erased.status).toBe(204);
    expect(await types()).toEqual([]);
    const [left] = await service.database.query<{ events: number }>(
      'select count(*)::int as events from events where tenant_id = $1',
      [tenant.tenant_id],
    );
    expect(left?.events).toBe(0);
  });
});

it('an approval is told of when it is asked for and decided, with its tool and without its arguments', async () => {
  const { agent, conversation_id, place } = await talking();
  const { channel: _, ...about } = place;
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const approval_id of ids)
    await query(
      `insert into approvals (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash, requested_at, expires_at)
       values ($1, $2, $3, $4, $5, 'crm__refund', $1::uuid::text, now(), now() + interval '1 hour')`,
      approval_id,
      tenant.tenant_id,
      agent.instance.id,
      agent.instance.customer_id,
      conversation_id,
    );
  const [approved, rejected, expired] = ids;
  await query(`update approvals set status = 'approved' where id = $1`, approved);
  await query(`update approvals set status = 'rejected' where id = $1`, rejected);
  await query(`update approvals set status = 'expired' where id = $1`, expired);
  const tool = 'crm__refund';
  const expires_at = expect.stringMatching(/Z$/);
  expect((await events()).slice(1)).toEqual([
    ...ids.map((approval_id) => ({
      type: 'approval.requested',
      data: { ...about, approval_id, tool, expires_at },
    })),
    { type: 'approval.decided', data: { ...about, approval_id: approved, tool, decision: 'approve' } },
    { type: 'approval.decided', data: { ...about, approval_id: rejected, tool, decision: 'reject' } },
  ]);
});

it('a connection is told of when the channel refuses its credentials, once', async () => {
  const { customer_id } = await insertInstance(service, tenant.tenant_id);
  const connection_id = await addToken(tenant, customer_id, 'token');
  for (let times = 0; times < 2; times++)
    await query(
      'update connections set refused_at = coalesce(refused_at, now()) where id = $1',
      connection_id,
    );
  expect(await events()).toEqual([
    {
      type: 'connection.expired',
      data: { customer_id, connection_id, provider: 'chatapp', reason: 'refused' },
    },
  ]);
});

it('a timesheet is told of when it is submitted, and goes with its person', async () => {
  const crew = await Crew.gather(service, tenant);
  const person = await crew.add({ name: 'Ada' });
  const { customer_id } = crew.instance;
  const [timesheet] = await query(
    `insert into timesheets (tenant_id, customer_id, person_id, date, hours) values ($1, $2, $3, '2026-11-20', 8) returning id`,
    tenant.tenant_id,
    customer_id,
    person.id,
  );
  expect(await events()).toEqual([
    { type: 'timesheet.submitted', data: { customer_id, person_id: person.id, timesheet_id: timesheet?.id } },
  ]);
  expect((await tenant.api.delete(`${crew.customer_path}/staff/${person.id}`)).status).toBe(204);
  expect(await events()).toEqual([]);
});

it('what is undone is no event', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id, { status: 'stopped' });
  const undone = service.service.services.db.tenant(tenant.tenant_id).transaction(async (tx) => {
    await tx.run(sql`update instances set status = 'running' where id = ${id}`);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await events()).toEqual([]);
});
