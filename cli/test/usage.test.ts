import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ask,
  createModel,
  instance,
  policy,
  service,
  tenant,
  useModels,
} from '../../server/test/support/models.ts';
import { OPERATIONS_TOKEN } from '../../server/test/support/service.ts';
import { Workplace } from './support/agentctl.ts';

useModels();

let work: Workplace;
beforeEach(async () => {
  work = await Workplace.open({ ACP_URL: service.base_url, ACP_API_KEY: tenant.key });
});
afterEach(() => work.close());

describe('usage', () => {
  it('is shown by its filters and groups, with its sum', async () => {
    const priced = await createModel('0.1');
    await policy({ model: priced });
    await ask();
    await ask();
    const shown = await work.run('usage', '--by', 'model,customer');
    expect(shown.stdout).toMatch(/^MODEL +CUSTOMER +CALLS +INPUT +CACHED +OUTPUT +COST \$\n/);
    expect(shown.stdout).toMatch(
      new RegExp(`^${priced} +${instance.customer_id} +2 +20 +0 +10 +0\\.\\d+$`, 'm'),
    );
    expect(shown.stderr).toMatch(/^2 calls in all, \$ 0\.\d+$/m);
    const company = { company_name: 'Harbour' };
    await tenant.api.patch(`/v1/customers/${instance.customer_id}`, company);
    const named = await work.run('usage', '--by', 'customer,instance,recipe');
    expect((await work.run('budgets', 'show', 'harbour')).code).toBe(0);
    expect((await work.run('budgets', 'show', 'harb')).code).toBe(4);
    expect(named.stdout).toMatch(/^Harbour +agent +Recipe +2 /m);
    expect((await work.run('usage')).stdout).toMatch(/^20\d\d-\d\d-\d\d +2 /m);
    expect(await work.json('usage', '--from', '2020-01-01', '--to', '2020-12-31')).toMatchObject({
      items: [],
    });
    const wrong = await work.run('usage', '--by', 'hour');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('day, customer, instance')]);
  });
});

describe('budgets', () => {
  it('are set, shown with what was spent, and removed', async () => {
    const { customer_id } = instance;
    const priced = await createModel('0.1');
    await policy({ model: priced });
    await ask();
    const budget = (...args: string[]) => work.run('budgets', ...args);
    expect((await budget('set', customer_id)).code).toBe(2);
    expect((await budget('set', customer_id, '--cost', 'much')).code).toBe(2);
    const set = await budget('set', customer_id, '--cost', '12.50', '--tokens', '1000');
    expect(set.stdout).toMatch(/^\$ 0\.\d+ of 12\.50?, 15 of 1000 tokens\n$/);
    await budget('set', customer_id, '--cost', '');
    expect(await work.json('budgets', 'show', customer_id)).toMatchObject({
      monthly_cost: null,
      monthly_tokens: 1000,
      spent_tokens: 15,
    });
    expect((await budget('remove', customer_id)).code).toBe(0);
    expect((await budget('show', customer_id)).stdout).toMatch(/ of any sum, 15 of any number of tokens\n$/);
  });
});

describe('llm-providers', () => {
  it('are set, listed and removed without showing a key', async () => {
    await work.write('key.yaml', 'api_key: a-key-of-ours\n');
    const set = await work.run(
      'llm-providers',
      'set',
      'ours',
      '--base-url',
      'https://models.example/v1',
      '-f',
      'key.yaml',
    );
    expect(set.stdout).toBe('provider ours is at https://models.example/v1\n');
    expect(await work.json('llm-providers', 'list')).toMatchObject({ items: [{ slug: 'ours' }], total: 1 });
    expect((await work.run('llm-providers', 'remove', 'ours')).code).toBe(0);
    expect(await work.json('llm-providers', 'list')).toMatchObject({ total: 0 });
  });

  it('of the operator are checked, with the reason of a failure', async () => {
    const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    await work.write('key.yaml', 'api_key: a-key-of-ours\n');
    const run = (command: string, ...more: string[]) =>
      operator.run('llm-providers', command, 'dead', '--operator', ...more);
    expect((await run('set', '--base-url', 'http://127.0.0.1:1/v1', '-f', 'key.yaml')).code).toBe(0);
    const checked = await run('check');
    expect([checked.code, checked.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('ECONNREFUSED'),
    ]);
    expect(checked.code).not.toBe(0);
    expect((await run('remove')).code).toBe(0);
  });
});
