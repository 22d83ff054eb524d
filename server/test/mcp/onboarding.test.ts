import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { answerEach, threadOf, WAIT } from '../support/conversations.ts';
import { connectModern } from '../support/mcp.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

type Json = Record<string, unknown>;

const NAMES = ['search_operations', 'call_operation'];
const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  const tier = `/internal/v1/tiers/${crypto.randomUUID()}`;
  expect((await service.operations.put(tier, { name: 'Small' })).status).toBe(201);
  expect((await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' })).status).toBe(201);
  answerEach(service, ({ text }) => `You said ${String(text)}`);
});
afterAll(() => service.stop());

/** Counts calls, and tokens written and read. */
async function connect() {
  const client = await connectModern(service, { headers: { 'x-api-key': tenant.key } });
  const { tools } = await client.listTools();
  const spent = { calls: 0, tokens: 0 };
  const call = async (name: string, args: Json): Promise<Json> => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    const [block] = content as { text: string }[];
    const text = block?.text ?? '';
    expect(isError, `${name} ${JSON.stringify(args)}: ${text}`).toBeFalsy();
    spent.calls += 1;
    spent.tokens += tokensOf({ name, arguments: args }) + encode(text).length;
    return JSON.parse(text) as Json;
  };
  return { client, tools, spent, call };
}

/** Creates a customer and an agent, and messages the agent until it answers. `use` calls an operation. */
async function onboard(
  use: (words: string, operation: string, args: Json) => Promise<Json>,
): Promise<string | undefined> {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id: customer_id } = await use('add a customer', 'create_customer', {
    email,
    company_name: 'Pier 4',
  });
  const { id: recipe_id } = await use('create a recipe', 'create_recipe', {
    name: 'Crew desk',
    system_prompt: 'You answer the crew.',
    skills: ['help'],
  });
  const { items: tiers } = await use('instance sizes and regions', 'list_tiers', {});
  const { items: regions } = await use('', 'list_regions', {});
  const [tier] = tiers as { id: string }[];
  const [region] = regions as { id: string }[];
  const where = { customer_id, recipe_id, hostname: 'crew.example.com' };
  const check = await use('deploy a recipe for a customer', 'check_deploy', where);
  expect(check).toMatchObject({ ready: true });
  const { task_id, instance_id } = await use('', 'deploy_recipe', {
    ...where,
    tier_id: tier?.id,
    region_id: region?.id,
    plan_hash: check.plan_hash,
  });
  const task = await use('wait for a task', 'wait_for_task', { task_id, timeout_seconds: 50 });
  expect(task).toMatchObject({ status: 'succeeded' });
  const { conversation_id } = await use('write to an agent in the playground', 'write_in_playground', {
    instance_id,
    text: 'hello',
  });
  // How long the answer takes, and how often one looks meanwhile, depends on the machine, so this counts no calls.
  await vi.waitFor(async () => {
    const authors = (await threadOf(tenant, String(conversation_id))).map(({ author }) => author);
    expect(authors).toContain('agent');
  }, WAIT);
  const { items } = await use('messages of a conversation', 'list_messages', { conversation_id });
  return (items as { author: string; text: string }[]).find(({ author }) => author === 'agent')?.text;
}

it('two tools suffice to deploy an agent that answers', async () => {
  const { client, tools, spent, call } = await connect();
  const own = tools.filter(({ name }) => NAMES.includes(name));
  const known = new Map<string, Json>();
  const answer = await onboard(async (words, operation, args) => {
    if (!known.has(operation)) {
      const { operations } = await call('search_operations', { query: words || operation });
      for (const found of operations as (Json & { operation: string })[]) known.set(found.operation, found);
    }
    const found = known.get(operation) as { arguments: { properties: Json } } | undefined;
    expect(found, `${words}: ${operation} is found`).toBeDefined();
    expect(Object.keys(found?.arguments.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(args)));
    return call('call_operation', { operation, arguments: args });
  });
  expect(answer).toBe('You said hello');
  // docs/mcp.md has the figures.
  expect(spent.calls).toBeLessThan(25);
  expect(tokensOf({ tools: own })).toBeLessThan(300);
  expect(spent.tokens).toBeLessThan(12_000);
  await client.close();
});

it('all tools need fewer calls', async () => {
  const { client, tools, spent, call } = await connect();
  const answer = await onboard((_words, operation, args) => call(operation, args));
  expect(answer).toBe('You said hello');
  expect(spent.calls).toBeLessThan(18);
  expect(tokensOf({ tools })).toBeLessThan(6000);
  expect(spent.tokens).toBeLessThan(3000);
  await client.close();
});
