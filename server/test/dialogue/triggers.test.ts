import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetRuns } from '../../src/dialogue/triggers.db.ts';
import {
  answer,
  answerEach,
  configure,
  conversationWith,
  createAgent,
  forwardedCount,
  forwardedTo,
  messagesBecome,
  messagesIn,
  sentBecome,
  uniqueId,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { insertInstance, placeCustomer, setInstanceStatus } from '../support/instances.ts';
import { runJobs, runJobsUntil } from '../support/jobs.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { secondsAgo, sendMessages, type TestEndpoint } from '../support/webhook.ts';

const MINUTE = 60_000;
const PROMPT = 'Remind Ada of her timesheet';
const TEMPLATE = { name: 'reminder', language: 'en', parameters: ['Ada', 'Your agent says: {answer}'] };

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

/** As a cron schedule in UTC, the time zone of these customers. */
function minutesAgo(minutes: number): string {
  const at = new Date(service.clock.now().getTime() - minutes * MINUTE);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

interface Reminded {
  agent: TestEndpoint;
  sender: string;
}

/** An agent with a trigger for a known address. */
async function remind(trigger: object = {}, config: object = {}, retention_days = 30): Promise<Reminded> {
  const sender = uniqueSender();
  const agent = await createAgent(
    service,
    tenant,
    {
      ...config,
      trigger_templates: [
        { name: 'timesheet', schedule: minutesAgo(10), prompt: PROMPT, to: `+${sender}`, ...trigger },
      ],
    },
    { retention_days },
  );
  const of = `/v1/customers/${agent.instance.customer_id}/identities`;
  const made = await tenant.api.post(of, { channel: 'chatapp', external_id: `+${sender}` });
  expect(made.status).toBe(201);
  return { agent, sender };
}

/** Its job ran last so many minutes ago. */
const setLastRun = ({ agent: { instance } }: Reminded, minutes = 30) =>
  vi.waitFor(async () => {
    // A run in progress, such as the deployment's first, would see no due time, and note its own time.
    const [changed] = await service.database.query<{ id: string; at: Date }>(
      `update deployments d set triggers_since = now() - $2 * interval '1 minute'
       where instance_id = $1 and not exists (
         select from jobs where kind = 'fire_triggers' and key = d.id::text and (claim is not null or due_at <= now()))
       returning id, triggers_since as at`,
      [instance.id, minutes],
    );
    return changed ?? expect.unreachable('the job is looking');
  }, WAIT);

/** Runs the job as if its last run was half an hour ago. */
async function lookNow(reminded: Reminded): Promise<void> {
  const row = await setLastRun(reminded);
  await runJobs(service, 'fire_triggers', { key: row.id });
  await vi.waitFor(async () => {
    const [now] = await service.database.query<{ at: Date }>(
      'select triggers_since as at from deployments where id = $1',
      [row.id],
    );
    expect(now?.at.getTime()).toBeGreaterThan(row.at.getTime() + 25 * MINUTE);
  }, WAIT);
}

const events = async ({ agent: { instance } }: Reminded) => {
  const { body } = await tenant.api.get<{ items: { step: string; message: string }[] }>(
    `/v1/instances/${instance.id}/events`,
  );
  return body.items.filter(({ step }) => step === 'trigger').map(({ message }) => message);
};

/** Moves the sender's last message into the past. */
const wroteAgo = async (minutes: number, { agent, sender }: Reminded) => {
  const { id } = await conversationWith(tenant, agent, sender);
  await service.database.query(
    `update conversations set last_in_at = now() - $2 * interval '1 minute' where id = $1`,
    [id, minutes],
  );
  return id;
};

describe('a trigger', () => {
  it('makes the agent write once in a conversation, also when the sender has never written', async () => {
    const reminded = await remind({ template: TEMPLATE });
    answerEach(service, ({ text }) => `Do it.\n\n(${String(text)})`);
    await lookNow(reminded);
    const [trigger] = await forwardedCount(service, reminded.agent, 1);
    expect(trigger).toMatchObject({
      kind: 'trigger',
      text: PROMPT,
      external_id: reminded.sender,
      customer_id: reminded.agent.instance.customer_id,
      identity_id: expect.any(String),
      sender_token: expect.any(String),
      history: [],
    });
    const { id, unanswered } = await conversationWith(tenant, reminded.agent, reminded.sender);
    expect(unanswered).toBe(0);
    const text = `[reminder] Ada Your agent says: Do it. (${PROMPT})`;
    await messagesBecome(tenant, id, [
      { direction: 'in', author: 'system', kind: 'trigger', text: PROMPT, status: 'handled' },
      { author: 'agent', kind: 'template', text, status: 'sent' },
    ]);
    const [sent] = sendApi.sent.filter(({ body }) => body.to === reminded.sender);
    expect(sent?.body).toMatchObject({
      type: 'template',
      template: {
        name: 'reminder',
        language: { code: 'en' },
        components: [{ parameters: [{ text: 'Ada' }, { text: `Your agent says: Do it. (${PROMPT})` }] }],
      },
    });
    await lookNow(reminded);
    expect(await messagesIn(tenant, id)).toHaveLength(2);
  });

  it('is answered with text within 24 hours, and is not in the history', async () => {
    const reminded = await remind({ template: TEMPLATE });
    answerEach(service, ({ kind }) => (kind === 'trigger' ? 'Your timesheet, please' : 'Hello'));
    await write(service, reminded.agent, reminded.sender, 'hi');
    await sentBecome(sendApi, reminded.sender, ['Hello']);
    await wroteAgo(24 * 60 - 5, reminded);
    await lookNow(reminded);
    await sentBecome(sendApi, reminded.sender, ['Hello', 'Your timesheet, please']);
    await write(service, reminded.agent, reminded.sender, 'why?');
    const forwarded = await forwardedCount(service, reminded.agent, 3);
    expect(forwarded[1]).toMatchObject({ kind: 'trigger', history: [{ text: 'hi' }, { text: 'Hello' }] });
    expect(forwarded[2]).toMatchObject({
      text: 'why?',
      history: [{ text: 'hi' }, { text: 'Hello' }, { author: 'agent', text: 'Your timesheet, please' }],
    });
  });

  it('fails with the reason after 24 hours without a template', async () => {
    const reminded = await remind();
    answerEach(service, ({ kind }) => (kind === 'trigger' ? 'Your timesheet, please' : 'Hello'));
    await write(service, reminded.agent, reminded.sender, 'hi');
    await sentBecome(sendApi, reminded.sender, ['Hello']);
    const id = await wroteAgo(24 * 60, reminded);
    await lookNow(reminded);
    await messagesBecome(tenant, id, [
      { text: 'hi' },
      { text: 'Hello' },
      { kind: 'trigger' },
      {
        author: 'agent',
        status: 'failed',
        error: 'The sender has not written for 24 hours, and the trigger has no template to send instead',
      },
    ]);
    expect(sendApi.tried.filter(({ body }) => body.to === reminded.sender)).toHaveLength(1);
  });

  it('is forwarded outside business hours, while messages of the sender wait and stay unanswered', async () => {
    const reminded = await remind({}, { channel_config: { business_hours: { mon: [] } } });
    answerEach(service, () => 'Your timesheet, please');
    await write(service, reminded.agent, reminded.sender, 'anybody?');
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await lookNow(reminded);
    await sentBecome(sendApi, reminded.sender, ['Your timesheet, please']);
    expect(await forwardedCount(service, reminded.agent, 1)).toMatchObject([{ kind: 'trigger' }]);
    await messagesBecome(tenant, id, [{ text: 'anybody?', status: 'pending' }, { status: 'handled' }, {}]);
    expect((await conversationWith(tenant, reminded.agent)).unanswered).toBe(1);
  });

  it('is shown to the person who has the conversation, not to the agent', async () => {
    const reminded = await remind();
    await write(service, reminded.agent, reminded.sender, 'hi');
    await forwardedCount(service, reminded.agent, 1);
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    await lookNow(reminded);
    await messagesBecome(tenant, id, [
      {},
      {
        kind: 'trigger',
        text: PROMPT,
        status: 'handled',
        error: 'Not forwarded: a person has the conversation',
      },
    ]);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'agent' });
    await write(service, reminded.agent, reminded.sender, 'and now?');
    expect((await forwardedCount(service, reminded.agent, 2))[1]).toMatchObject({ text: 'and now?' });
  });

  it('leaves the greeting and the onboarding of a new sender unchanged', async () => {
    const reminded = await remind({ template: TEMPLATE }, { channel_config: { greeting: 'Welcome!' } });
    answerEach(service, () => 'Hello');
    await lookNow(reminded);
    await sentBecome(sendApi, reminded.sender, [undefined]);
    await write(service, reminded.agent, reminded.sender, 'hi');
    await sentBecome(sendApi, reminded.sender, [undefined, 'Welcome!', 'Hello']);
  });

  it('is erased with its answer without retention', async () => {
    const reminded = await remind({}, {}, 0);
    answerEach(service, ({ text }) => String(text));
    await write(service, reminded.agent, reminded.sender, 'hi');
    await lookNow(reminded);
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await sentBecome(sendApi, reminded.sender, ['hi', PROMPT]);
    await vi.waitFor(async () => {
      const texts = (await messagesIn(tenant, id)).map(({ text }) => text);
      expect(texts).toEqual([null, null, null, null]);
    }, WAIT);
  });

  it('reaches a worker who has verified the address, and no other one', async () => {
    const sender = uniqueSender();
    const agent = await createAgent(service, tenant, {
      trigger_templates: [
        { name: 'shift', schedule: minutesAgo(5), prompt: PROMPT, to: sender, template: TEMPLATE },
      ],
    });
    const reminded = { agent, sender };
    await lookNow(reminded);
    expect(await events(reminded)).toEqual([
      'The trigger "shift" said nothing: `to` is the address of no identity and no verified worker of the customer',
    ]);
    expect(forwardedTo(service, agent)).toEqual([]);
    await service.database.query(
      `with person as (insert into staff (tenant_id, customer_id, name, role, tier)
         select tenant_id, id, 'Ada', 'employee', 1 from customers where id = $1 returning *)
       insert into staff_bindings (tenant_id, customer_id, person_id, channel_type, channel_address, state)
       select tenant_id, customer_id, id, 'chatapp', $2, 'verified' from person`,
      [agent.instance.customer_id, sender],
    );
    await service.database.query('delete from trigger_runs where tenant_id = $1', [tenant.tenant_id]);
    await lookNow(reminded);
    expect(await forwardedCount(service, agent, 1)).toMatchObject([{ external_id: sender, kind: 'trigger' }]);
  });
});

describe('the schedule', () => {
  it('skips times before it', async () => {
    const early = await remind();
    await runJobs(service, 'fire_triggers');
    const witness = await remind();
    await lookNow(witness);
    await forwardedCount(service, witness.agent, 1);
    const { body } = await tenant.api.get<{ items: object[] }>(
      `/v1/conversations?instance_id=${early.agent.instance.id}`,
    );
    expect(body.items).toEqual([]);
  });

  it('makes up for a time while the instance was stopped, as soon as it runs', async () => {
    const reminded = await remind();
    const { id } = reminded.agent.instance;
    await setInstanceStatus(service, id, 'stopped');
    await setLastRun(reminded);
    await runJobs(service, 'fire_triggers');
    await setInstanceStatus(service, id, 'running');
    const [trigger] = await forwardedCount(service, reminded.agent, 1);
    expect(trigger).toMatchObject({ kind: 'trigger', text: PROMPT });
    expect(await events(reminded)).toEqual([]);
  });

  it('gives a time up after an hour, with an event, also while the instance is stopped', async () => {
    const reminded = await remind({ schedule: minutesAgo(70) });
    const { id } = reminded.agent.instance;
    await setInstanceStatus(service, id, 'stopped');
    await setLastRun(reminded, 120);
    const given_up =
      'The trigger "timesheet" said nothing: the instance did not run within 60 minutes of its time';
    await runJobsUntil(service, 'fire_triggers', async () =>
      expect(await events(reminded)).toEqual([given_up]),
    );
    await setInstanceStatus(service, id, 'running');
    const witness = await remind();
    await lookNow(witness);
    await forwardedCount(service, witness.agent, 1);
    expect(await events(reminded)).toEqual([given_up]);
    await forwardedCount(service, reminded.agent, 0);
  });

  it('follows an upgrade, the customer’s time zone and the customer’s own configuration', async () => {
    const { agent } = await remind({ schedule: '0 9 * * *' });
    const { customer_id, id } = agent.instance;
    const next = async () => {
      const [job] = await service.database.query<{ at: Date }>(
        `select run_at as at from jobs j join deployments d on d.id::text = j.key
         where j.kind = 'fire_triggers' and d.instance_id = $1 and j.claim is null and isfinite(j.run_at)`,
        [id],
      );
      return (job ?? expect.unreachable()).at;
    };
    const becomes = (hour: number) =>
      vi.waitFor(async () => expect((await next()).getUTCHours()).toBe(hour), WAIT);
    await becomes(9);
    await tenant.api.patch(`/v1/customers/${customer_id}`, { timezone: 'Asia/Tokyo' });
    await becomes(0);
    await service.database.query(
      `update deployments set resolved_config = jsonb_set(resolved_config, '{trigger_templates,0,schedule}', '"0 12 * * *"')
       where instance_id = $1`,
      [id],
    );
    await becomes(3);
    const own = [{ name: 'own', schedule: '0 18 * * *', prompt: 'x', to: '1' }];
    await tenant.api.put(`/v1/customers/${customer_id}/config`, { trigger_templates: own });
    await becomes(9);
    await tenant.api.put(`/v1/customers/${customer_id}/config`, { trigger_templates: [] });
    await vi.waitFor(async () => {
      const jobs = await service.database.query(
        `select from jobs j join deployments d on d.id::text = j.key where j.kind = 'fire_triggers' and d.instance_id = $1`,
        [id],
      );
      expect(jobs).toEqual([]);
    }, WAIT);
  });

  it('adds an event when a channel has no number', async () => {
    const reminded = await remind({ to: 'ada' });
    await tenant.api.post(`/v1/customers/${reminded.agent.instance.customer_id}/identities`, {
      channel: 'other',
      external_id: 'ada',
    });
    await lookNow(reminded);
    expect(await events(reminded)).toEqual([
      'The trigger "timesheet" said nothing: the instance has no number in the channel other',
    ]);
  });
});

const buttonReply = (title: string) => ({
  type: 'interactive',
  interactive: { type: 'button_reply', button_reply: { id: 'stop', title } },
});
const says = ({ agent, sender }: Reminded, part: object) =>
  sendMessages(service, agent, { from: sender, id: uniqueId(), timestamp: secondsAgo(0), ...part });

const namedTriggers = (...names: string[]) =>
  names.map((name) => ({ name, schedule: '0 8 * * 1', prompt: PROMPT, to: 'nobody' }));

describe('the list of triggers', () => {
  interface Listed {
    name: string;
    next_at: string;
    last_at: string | null;
  }
  const listed = async ({ agent: { instance } }: Reminded, query = '') =>
    (
      await tenant.api.get<{ items: Listed[]; total: number }>(
        `/v1/instances/${instance.id}/triggers${query}`,
      )
    ).body;

  it('says when each is due, when it was, and what came of it', async () => {
    const reminded = await remind();
    const { customer_id } = reminded.agent.instance;
    await tenant.api.patch(`/v1/customers/${customer_id}`, { company_name: 'Harbour' });
    const weekly = { name: 'weekly', schedule: '0 8 * * 1', prompt: PROMPT, to: 'nobody' };
    const config = { trigger_templates: [weekly, { name: 'broken', schedule: 'now' }] };
    const own = await tenant.api.put(`/v1/customers/${customer_id}/config`, config);
    expect(own.status).toBe(200);
    const { items, total } = await listed(reminded);
    expect(total).toBe(1);
    const { prompt: _, ...shown } = weekly;
    expect(items).toEqual([
      {
        ...shown,
        deployment_id: expect.any(String),
        customer_id,
        customer_name: 'Harbour',
        timezone: 'UTC',
        next_at: expect.stringMatching(/T08:00:00\.000Z$/),
        last_at: null,
        last_error: null,
        opted_out: false,
      },
    ]);
    expect(new Date(items[0]?.next_at ?? '').getUTCDay()).toBe(1);
    expect(await listed(reminded, '?page=2')).toMatchObject({ items: [], total: 1, page: 2 });
  });

  it('has the last run, with what hindered it, also when it is old', async () => {
    const reminded = await remind({ to: 'nobody' });
    await lookNow(reminded);
    const error = '`to` is the address of no identity and no verified worker of the customer';
    const ran = { name: 'timesheet', last_error: `The trigger "timesheet" said nothing: ${error}` };
    expect((await listed(reminded)).items).toMatchObject([ran]);
    await service.database.query(
      `update trigger_runs r set at = at - interval '30 days' from deployments d
       where d.id = r.deployment_id and d.instance_id = $1`,
      [reminded.agent.instance.id],
    );
    const { body } = await tenant.api.get<{ items: { id: string }[] }>(
      `/v1/instances/${reminded.agent.instance.id}/deployments`,
    );
    await service.service.services.db.tenant(tenant.tenant_id).run(forgetRuns(body.items[0]?.id ?? ''));
    expect((await listed(reminded)).items).toMatchObject([ran]);
  });

  it('says who has opted out', async () => {
    const reminded = await remind();
    expect((await listed(reminded)).items).toMatchObject([{ opted_out: false }]);
    await write(service, reminded.agent, reminded.sender, 'STOP');
    await forwardedCount(service, reminded.agent, 1);
    expect((await listed(reminded)).items).toMatchObject([{ opted_out: true }]);
  });

  it('goes through the lists of all customers, those that are equal and those that are not', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const equal = namedTriggers('a', 'b');
    const lists = [equal, [...namedTriggers('c'), { name: 'broken' }], equal, 'none'];
    for (const [index, trigger_templates] of lists.entries()) {
      const customer_id = index === 0 ? shared.customer_id : await placeCustomer(service, shared.id);
      await service.database.query(
        `update deployments set resolved_config = $2, created_at = now() - $3::int * interval '1 hour'
         where customer_id = $1`,
        [customer_id, JSON.stringify({ trigger_templates }), index],
      );
    }
    const pages = [];
    for (let page = 1; page <= 4; page++) {
      const path = `/v1/instances/${shared.id}/triggers?per_page=2&page=${page}`;
      const { body } = await tenant.api.get<{ items: Listed[]; total: number }>(path);
      expect(body.total).toBe(5);
      pages.push(body.items.map(({ name }) => name).join(''));
    }
    expect(pages).toEqual(['ab', 'ca', 'b', '']);
  });

  it('of an unknown instance is not found', async () => {
    expect((await tenant.api.get(`/v1/instances/${randomUUID()}/triggers`)).status).toBe(404);
  });
});

describe('a sender who wrote STOP', () => {
  it.each([
    ['in words', { type: 'text', text: { body: 'Stop.' } }],
    ['by a button', buttonReply('Unsubscribe')],
  ])('%s gets no trigger, in no conversation', async (_, part) => {
    const reminded = await remind();
    await says(reminded, part);
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await forwardedCount(service, reminded.agent, 1);
    expect((await tenant.api.delete(`/v1/conversations/${id}`)).status).toBe(204);
    await lookNow(reminded);
    expect(await events(reminded)).toEqual(['The trigger "timesheet" said nothing: `to` has written STOP']);
    expect(forwardedTo(service, reminded.agent)).toHaveLength(1);
    const [row] = await service.database.query<{ text: string }>(
      'select opt_outs::text as text from opt_outs',
    );
    expect(row?.text).not.toContain(reminded.sender);
  });

  it('gets no trigger while a person has the conversation, and triggers again after START', async () => {
    const reminded = await remind();
    await write(service, reminded.agent, reminded.sender, 'hi');
    await forwardedCount(service, reminded.agent, 1);
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    await write(service, reminded.agent, reminded.sender, 'STOP');
    await lookNow(reminded);
    expect(await messagesIn(tenant, id)).toHaveLength(2);
    await write(service, reminded.agent, reminded.sender, 'Start please');
    await service.database.query('delete from trigger_runs');
    await lookNow(reminded);
    await messagesBecome(tenant, id, [{}, { text: 'STOP' }, {}, { kind: 'trigger' }]);
  });

  it('gets no trigger under a new number, or under the user id alone', async () => {
    const reminded = await remind();
    const { agent, sender } = reminded;
    const [user_id, next] = [`US.${uniqueSender()}`, uniqueSender()];
    await says(reminded, { from_user_id: user_id, type: 'text', text: { body: 'hi' } });
    await forwardedCount(service, agent, 1);
    const fromUser = { from_user_id: user_id, id: uniqueId(), type: 'text', text: { body: 'abmelden' } };
    await sendMessages(service, agent, fromUser);
    await lookNow(reminded);
    expect(forwardedTo(service, agent).filter(({ kind }) => kind === 'trigger')).toEqual([]);
    const system = { type: 'user_changed_number', wa_id: next, body: 'changed' };
    await sendMessages(service, agent, { from: sender, id: uniqueId(), type: 'system', system });
    const config = {
      trigger_templates: [{ name: 'next', schedule: minutesAgo(10), prompt: PROMPT, to: next }],
    };
    await configure(service, agent.instance, config, 30);
    await lookNow(reminded);
    expect(await events(reminded)).toContain('The trigger "next" said nothing: `to` has written STOP');
  });

  it('gets no trigger that still waited for the runtime', async () => {
    const reminded = await remind();
    service.runtimes.onMessage = () => Promise.reject(new Error('down'));
    await lookNow(reminded);
    const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
    await messagesBecome(tenant, id, [{ kind: 'trigger', status: 'pending', error: 'down' }]);
    await write(service, reminded.agent, reminded.sender, 'STOP');
    const error = 'Not forwarded: the sender has written STOP';
    await messagesBecome(tenant, id, [
      { status: 'handled', error },
      { text: 'STOP', error: 'down' },
    ]);
  });

  it('has not opted out when the message has more words', async () => {
    const reminded = await remind();
    await write(service, reminded.agent, reminded.sender, 'stop the crane at noon');
    await forwardedCount(service, reminded.agent, 1);
    await lookNow(reminded);
    await forwardedCount(service, reminded.agent, 2);
  });
});

it('an answer to a trigger is sent once, although the runtime repeats it', async () => {
  const reminded = await remind({ template: TEMPLATE });
  await lookNow(reminded);
  const [trigger] = await forwardedCount(service, reminded.agent, 1);
  const { id } = await conversationWith(tenant, reminded.agent, reminded.sender);
  const body = { text: 'Please', in_reply_to: trigger?.message_id };
  const answers = [
    await answer(service, reminded.agent, id, body),
    await answer(service, reminded.agent, id, body),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 200]);
  expect(new Set(answers.map(({ body: { id: message_id } }) => message_id)).size).toBe(1);
});
