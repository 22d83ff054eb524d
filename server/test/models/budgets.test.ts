import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepUsage } from '../../src/models/usage.ts';
import { createCustomer } from '../support/customers.ts';
import { endChunks, sendChunk, sendCompletion, usageOf } from '../support/fake-language-model.ts';
import { insertInstance } from '../support/instances.ts';
import { purgeAll } from '../support/jobs.ts';
import {
  ask,
  calls,
  createModel,
  instance,
  model,
  modelsAsked,
  pathOf,
  policy,
  service,
  tenant,
  useModels,
} from '../support/models.ts';

useModels();

it('lists the budgets that there are, with their customers', async () => {
  const api = (await service.createTenant()).api;
  const [rich, poor, without] = await Promise.all(
    ['Rich', 'Poor', 'Without'].map((company_name) => createCustomer({ api }, { company_name })),
  );
  expect((await api.put(`/v1/customers/${rich}/budget`, { monthly_cost: '12.50' })).status).toBe(200);
  expect((await api.put(`/v1/customers/${poor}/budget`, { monthly_tokens: 5 })).status).toBe(200);
  const { body } = await api.get<{ items: { customer_name: string }[]; total: number }>('/v1/budgets');
  expect(body.total).toBe(2);
  expect(body.items.toSorted((a, b) => (a.customer_name < b.customer_name ? -1 : 1))).toEqual([
    {
      customer_id: poor,
      customer_name: 'Poor',
      ...(await api.get<object>(`/v1/customers/${poor}/budget`)).body,
    },
    {
      customer_id: rich,
      customer_name: 'Rich',
      ...(await api.get<object>(`/v1/customers/${rich}/budget`)).body,
    },
  ]);
  expect(JSON.stringify(body)).not.toContain(without);
});

/** A daily sum of a call of each of the models with these numbers. */
const addDays = (from: number, to: number) =>
  service.database.query(
    `insert into llm_days (tenant_id, day, instance_id, model, calls, input_tokens, cached_input_tokens, output_tokens)
     select $1, current_date, $2, 'model-' || n, 1, 2, 0, 1 from generate_series($3::int, $4::int) n`,
    [tenant.tenant_id, instance.id, from, to],
  );
const everyModel = () =>
  tenant.api.get<{ items: object[] }>('/v1/usage?from=2000-01-01&to=2999-12-31&group_by=model');

describe('usage', () => {
  it('sums calls, tokens and cost by the requested groups, without rounding', async () => {
    const priced = await createModel('0.1');
    await policy({ model: priced });
    model.respond = (response) => sendCompletion(response, 'x', usageOf(3, 1, 1));
    await ask();
    await ask();
    const { body } = await tenant.api.get<{ items: object[]; total: object }>(
      '/v1/usage?group_by=model,customer',
    );
    const sums = {
      calls: 2,
      unpriced_calls: 0,
      estimated_calls: 0,
      input_tokens: 6,
      cached_input_tokens: 2,
      output_tokens: 2,
      audio_seconds: 0,
      cost: '0.0000214',
    };
    expect(body).toEqual({
      items: [{ customer_id: instance.customer_id, customer_name: null, model: priced, ...sums }],
      truncated: false,
      total: sums,
    });
    expect((await tenant.api.get('/v1/usage?group_by=hour')).status).toBe(422);
    const before = await tenant.api.get('/v1/usage?from=2020-01-01&to=2020-12-31');
    expect(before.body).toMatchObject({ items: [], total: { calls: 0, cost: '0' } });
    const other = await service.createTenant();
    expect((await other.api.get('/v1/usage')).body).toMatchObject({ items: [] });
  });

  it('counts calls without a price, and those whose tokens were estimated', async () => {
    const priced = await createModel('0.1');
    await ask();
    await policy({ model: priced });
    await ask();
    model.respond = (response) => {
      sendChunk(response, 'first');
      endChunks(response);
    };
    await ask({ stream: true });
    const counts = { calls: 3, unpriced_calls: 1, estimated_calls: 1 };
    const everything = '/v1/usage?from=2000-01-01&to=2999-12-31&group_by=instance';
    const usage = async () => (await tenant.api.get(everything)).body;
    expect(await usage()).toMatchObject({ items: [counts], total: counts });
    await ageUsage('llm_calls', 'at', 100);
    expect(await usage()).toMatchObject({ items: [counts], total: counts });
    // As earlier versions of the service summed up.
    await service.database.query(
      'update llm_days set unpriced_calls = null, estimated_calls = null where instance_id = $1',
      [instance.id],
    );
    expect(await usage()).toMatchObject({ total: { ...counts, estimated_calls: 0 } });
  });

  it('names customers, instances and recipes, and can be of one of them', async () => {
    await ask();
    const { customer_id, id: instance_id } = instance;
    const company = { company_name: 'Harbour' };
    expect((await tenant.api.patch(`/v1/customers/${customer_id}`, company)).status).toBe(200);
    const names = { customer_name: 'Harbour', hostname: 'agent', recipe_name: 'Recipe' };
    const groups = 'group_by=customer,instance,recipe';
    const [call] = await service.database.query<{ id: string }>(
      `with place as (
         insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
         values ($1, $2, $3, 'playground', 'somebody', now()) returning id)
       update llm_calls set conversation_id = place.id from place where instance_id = $2 returning place.id`,
      [tenant.tenant_id, instance_id, customer_id],
    );
    for (const [filter, other] of [
      [`customer_id=${customer_id}`, 'customer_id'],
      [`instance_id=${instance_id}`, 'instance_id'],
      [`conversation_id=${call?.id}`, 'conversation_id'],
    ]) {
      const { body } = await tenant.api.get(`/v1/usage?${groups}&${filter}`);
      expect(body).toMatchObject({ items: [{ customer_id, instance_id, ...names }], total: { calls: 1 } });
      const none = await tenant.api.get(`/v1/usage?${groups}&${other}=${randomUUID()}`);
      expect(none.body).toMatchObject({ items: [], total: { calls: 0 } });
    }
    const key = await service.createKey(tenant.tenant_id, { scopes: ['usage:read'] });
    const member = await service.anonymous.with({ 'x-api-key': key }).get(`/v1/usage?${groups}`);
    expect(member.body).toMatchObject({ items: [names] });
  });

  it('says that it has left out rows beyond 10,000, which the sums have', async () => {
    await addDays(1, 10_000);
    const whole = (await everyModel()).body;
    expect([whole, whole.items.length]).toMatchObject([
      { truncated: false, total: { calls: 10_000 } },
      10_000,
    ]);
    await addDays(10_001, 10_001);
    const cut = (await everyModel()).body;
    expect([cut, cut.items.length]).toMatchObject([{ truncated: true, total: { calls: 10_001 } }, 10_000]);
  });

  it('is shown to every member, with a key of the scope', async () => {
    const scopes = ['usage:read', 'customers:read'];
    const keys = await Promise.all(
      scopes.map((scope) => service.createKey(tenant.tenant_id, { role: 'member', scopes: [scope] })),
    );
    const answers = await Promise.all(
      keys.map((key) => service.anonymous.with({ 'x-api-key': key }).get('/v1/usage')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
  });

  it('is kept as daily sums after 90 days', async () => {
    await ask();
    await service.database.query(
      "update llm_calls set at = at - interval '100 days' where instance_id = $1",
      [instance.id],
    );
    await purgeAll(service, ['llm_calls']);
    expect(await calls()).toEqual([]);
    const { body } = await tenant.api.get('/v1/usage?from=2000-01-01&to=2999-12-31&group_by=model');
    expect(body).toMatchObject({ items: [{ model: 'own-model', calls: 1, input_tokens: 10 }] });
  });

  it('becomes daily sums although those of another tenant are refused', async () => {
    await ask();
    const other = await insertInstance(service, (await service.createTenant()).tenant_id);
    await ask({}, pathOf(other));
    await service.database.query(
      "update llm_calls set at = at - interval '100 days' where instance_id = any ($1)",
      [[instance.id, other.id]],
    );
    await refuseRowsOf('llm_days', tenant.tenant_id);
    await expect(purgeAll(service, ['llm_calls'])).rejects.toThrow('refused');
    expect(await calls()).toHaveLength(1);
    expect(await calls(other)).toEqual([]);
  });

  it('is deleted after two years', async () => {
    await policy({ budget: { monthly_tokens: 1_000_000 } });
    await ask();
    await ageUsage('llm_calls', 'at', 100);
    expect(await ageUsage('llm_days', 'day', 730)).toBe(1);
    expect(await ageUsage('llm_spending', 'month', 730)).toBe(1);
    expect(await ageUsage('llm_days', 'day', 733)).toBe(0);
    expect(await ageUsage('llm_spending', 'month', 733)).toBe(0);
  });
});

/** Ages the instance's rows and deletes expired ones. @returns how many rows are left */
async function ageUsage(table: string, column: string, days: number): Promise<number> {
  const age = `update ${table} set ${column} = current_date - $2::int where instance_id = $1`;
  await service.database.query(age, [instance.id, days]);
  await purgeAll(service, [table]);
  return (await service.database.query(`select from ${table} where instance_id = $1`, [instance.id])).length;
}

/** Until the test ends. */
async function refuseRowsOf(table: string, tenant_id: string): Promise<void> {
  await service.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  onTestFinished(async () => void (await service.database.query('drop function refuse cascade')));
  await service.database.query(
    `create trigger refuse before insert or update on ${table} for each row
     when (new.tenant_id = '${tenant_id}') execute function refuse()`,
  );
}

const limitTenant = (monthly_cost: number) =>
  service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits: { monthly_cost } });

describe('a budget', () => {
  it('has room for concurrent calls with the largest output limits', async () => {
    const second = await insertInstance(service, tenant.tenant_id);
    const largest = { max_tokens: Number.MAX_SAFE_INTEGER };
    const all = [instance, second].flatMap((one) =>
      Array.from({ length: 6 }, () => ask(largest, pathOf(one))),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  const quota = { error: { type: 'insufficient_quota', code: 'insufficient_quota' } };

  it('is not exceeded by 56 concurrent calls', async () => {
    const { customer_id } = instance;
    await tenant.api.put(`/v1/customers/${customer_id}/budget`, { monthly_tokens: 500 });
    const others = Array.from({ length: 6 }, () =>
      insertInstance(service, tenant.tenant_id, { customer_id }),
    );
    const all = [instance, ...(await Promise.all(others))];
    // Each call reserves at least 40 tokens and uses 15.
    for (const one of all) await policy({ max_output_tokens: 40 }, one);
    const asked = all.flatMap((one) => Array.from({ length: 8 }, () => ask({}, pathOf(one))));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const answered = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const [spent] = await service.database.query<{ tokens: string; reserved_tokens: string }>(
      'select tokens, reserved_tokens from llm_spending where customer_id = $1',
      [customer_id],
    );
    expect(spent).toEqual({ ...spent, tokens: String(15 * answered), reserved_tokens: '0' });
    expect(Number(spent?.tokens)).toBeLessThanOrEqual(500);
  });

  it('reserves a text by its length, also when it begins like a file', async () => {
    await policy({ max_output_tokens: 40, budget: { monthly_tokens: 5000 } });
    const file = `data:image/png;base64,${'A'.repeat(60_000)}`;
    const image = [{ type: 'image_url', image_url: { url: file } }];
    expect((await ask({ messages: [{ role: 'user', content: image }] })).status).toBe(200);
    const text = `data: ${'x'.repeat(60_000)}`;
    expect(await ask({ messages: [{ role: 'user', content: text }] })).toMatchObject({
      status: 429,
      body: quota,
    });
  });

  it('with an unknown key refuses all calls', async () => {
    await policy({ budget: { monthly_cots: 5 } });
    expect(await ask()).toMatchObject({ status: 429, body: quota });
    expect(modelsAsked()).toEqual([]);
  });

  it('in money refuses models without a price, and reports 80 and 100 per cent as events', async () => {
    await policy({ budget: { monthly_cost: '0.01' } });
    expect(await ask()).toMatchObject({ status: 403, body: { error: { code: 'no_price' } } });
    const priced = await createModel();
    await policy({ model: priced, budget: { monthly_cost: 0.01 } });
    model.respond = (response) => sendCompletion(response, 'x', usageOf(8000, 100));
    expect((await ask()).status).toBe(200);
    model.respond = (response) => sendCompletion(response, 'x', usageOf(1000, 10));
    expect(await ask()).toMatchObject({ status: 429, body: quota });
    const { body } = await tenant.api.get<{ items: { message: string }[] }>(
      `/v1/instances/${instance.id}/events`,
    );
    expect(body.items.map(({ message }) => message)).toEqual([
      'The monthly budget of the instance has no room for another call (100 %)',
      '80 % of the monthly budget of the instance are spent',
    ]);
  });

  it('of a customer limits all its instances, and is shown with its spending', async () => {
    const path = `/v1/customers/${instance.customer_id}/budget`;
    const second = await insertInstance(service, tenant.tenant_id, { customer_id: instance.customer_id });
    expect((await tenant.api.put(path, { monthly_tokens: 20_000, monthly_cost: null })).status).toBe(200);
    model.respond = (response) => sendCompletion(response, 'x', usageOf(19_000, 500));
    expect((await ask()).status).toBe(200);
    expect(await ask({}, pathOf(second))).toMatchObject({ status: 429, body: quota });
    const { body } = await tenant.api.get(path);
    expect(body).toMatchObject({
      monthly_cost: null,
      monthly_tokens: 20_000,
      spent_cost: '0',
      spent_tokens: 19_500,
    });
    expect((await tenant.api.delete(path)).status).toBe(204);
    expect((await ask({}, pathOf(second))).status).toBe(200);
  });

  it('of the tenant limits its calls to the operator’s providers', async () => {
    const priced = await createModel();
    await policy({ model: priced });
    await limitTenant(0.0001);
    expect(await ask()).toMatchObject({ status: 429, body: quota });
    await limitTenant(0.01);
    expect((await ask()).status).toBe(200);
  });

  it('counts a call that was never settled as spent after 15 minutes', async () => {
    await policy({ max_output_tokens: 40, budget: { monthly_tokens: 100_000 } });
    await service.database.query(
      `insert into llm_calls (id, tenant_id, instance_id, customer_id, at, asked_model, model, provider, is_operators, reserved_tokens)
       select gen_random_uuid(), tenant_id, id, customer_id, now() - interval '16 minutes', 'm', 'm', 'default', true, 70
       from instances where id = $1`,
      [instance.id],
    );
    await service.database.query(
      `insert into llm_spending (tenant_id, month, instance_id, reserved_tokens)
       select tenant_id, date_trunc('month', (now() - interval '16 minutes') at time zone 'UTC'), id, 70 from instances where id = $1`,
      [instance.id],
    );
    await keepUsage(service.service.services.db.system, new AbortController().signal);
    const rows = await service.database.query(
      'select tokens, reserved_tokens from llm_spending where instance_id = $1',
      [instance.id],
    );
    expect(rows).toEqual([{ tokens: '70', reserved_tokens: '0' }]);
    expect(await calls()).toMatchObject([{ status: 'lost', estimated: true }]);
  });

  it('of one tenant, whose numbers are too large, keeps nobody else’s calls from being counted', async () => {
    const other = await insertInstance(service, (await service.createTenant()).tenant_id);
    for (const [id, reserved] of [
      [instance.id, '9000000000000000000'],
      [instance.id, '9000000000000000000'],
      [other.id, '70'],
    ])
      await service.database.query(
        `insert into llm_calls (id, tenant_id, instance_id, customer_id, at, asked_model, model, provider, is_operators, reserved_tokens)
         select gen_random_uuid(), tenant_id, id, customer_id, now() - interval '16 minutes', 'm', 'm', 'default', true, $2
         from instances where id = $1`,
        [id, reserved],
      );
    await refuseRowsOf('llm_spending', tenant.tenant_id);
    await keepUsage(service.service.services.db.system, new AbortController().signal);
    expect(await calls(other)).toMatchObject([{ status: 'lost' }]);
    expect(await calls()).toMatchObject([{ status: 'lost' }, { status: 'lost' }]);
    const spent = 'select tokens from llm_spending where instance_id = $1';
    expect(await service.database.query(spent, [other.id])).toEqual([{ tokens: '70' }]);
  });

  it('holds for sums beyond what is counted, and a provider’s numbers count up to 1,000,000,000', async () => {
    await service.database.query(
      `insert into llm_spending (tenant_id, month, instance_id, tokens)
       select tenant_id, date_trunc('month', now() at time zone 'UTC'), id, 9223372036854775807 from instances where id = $1`,
      [instance.id],
    );
    model.respond = (response) => sendCompletion(response, 'x', usageOf(2 ** 53 - 1, 1e30));
    expect((await ask()).status).toBe(200);
    expect(await calls()).toMatchObject([
      { status: 'ok', input_tokens: '1000000000', output_tokens: '1000000000', estimated: false },
    ]);
    const spent = 'select tokens from llm_spending where instance_id = $1';
    expect(await service.database.query(spent, [instance.id])).toEqual([{ tokens: '9223372036854775807' }]);
  });

  it('belongs to the month of a call’s first attempt, also when a fallback is tried in the next', async () => {
    await policy({ model: 'first', fallback_models: ['second'] });
    model.respond = (response, { body }) => {
      if (body.model === 'first') {
        service.clock.advance(40 * 24 * 3600 * 1000);
        response.writeHead(500).end('{}');
      } else {
        sendCompletion(response, 'x', usageOf(3, 1));
      }
    };
    expect((await ask()).status).toBe(200);
    const spent = await service.database.query(
      'select tokens, reserved_tokens from llm_spending where instance_id = $1 or customer_id = $2',
      [instance.id, instance.customer_id],
    );
    expect(spent).toEqual([
      { tokens: '4', reserved_tokens: '0' },
      { tokens: '4', reserved_tokens: '0' },
    ]);
  });
});
