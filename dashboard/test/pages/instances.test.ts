import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { PASSWORD } from '../../../server/test/support/service.ts';
import { expectGoodLooks, settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

const TABS = ['timeline', 'talk', 'configuration', 'upgrade', 'tools', 'triggers', 'logs', 'access'];

it('lists agents, finds one by its name and opens it by keyboard', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/instances');
  await page.getByText('crew.harbour.example').waitFor();
  await expectGoodLooks(visitor, page, 'agents');
  await page.keyboard.press('/');
  await page.keyboard.type('crew.harbour');
  // The number is that of the list that is found; until then the one before stays.
  await page.getByText('1 agent with “crew.harbour” in the name').waitFor();
  await page.getByRole('searchbox').blur();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'crew.harbour.example' }).waitFor();
  expect(page.url()).toBe(`${tenant.house.base_url}/instances/${tenant.instance_id}/timeline`);
});

it.each(TABS)('the %s of an agent looks good', async (tab) => {
  const { house, instance_id, ...tenant } = await furnishedTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open(`/instances/${instance_id}/${tab}`);
  await expectGoodLooks(visitor, page, `agent-${tab}`);
});

/** An agent of this test's own, without a number. */
async function ownAgent({
  hosting_mode = 'dedicated',
  isBroken = false,
  ...overrides
}: {
  hosting_mode?: 'dedicated' | 'shared';
  /** Its runtime does not start. */
  isBroken?: boolean;
  trigger_templates?: object[];
} = {}) {
  const { house, acp, customer_id, recipe_id, instance_id: other, ...tenant } = await furnishedTenant();
  const { tier_id, region_id } = await acp.instances.get(other);
  if (isBroken) Object.assign(house.engine, { failure: 'out_of_memory', lastLine: 'Killed' });
  const hostname = `${randomUUID().slice(0, 8)}.harbour.example`;
  const { instance_id } = await acp.deploy({
    customer_id,
    recipe_id,
    tier_id,
    region_id,
    hostname,
    hosting_mode,
    instance_overrides: { channel_types: ['playground'], connection_requirements: [], ...overrides },
  });
  const running = acp.instances.waitUntilRunning(instance_id, { timeoutMs: 120_000 });
  if (isBroken) await expect(running).rejects.toThrow();
  else await running;
  house.engine.failure = undefined;
  const visitor = await Visitor.of(house, tenant);
  const open = (tab: string) => visitor.open(`/instances/${instance_id}/${tab}`);
  return { acp, house, visitor, open, instance_id, hostname };
}

it('stops, starts and terminates an agent', async () => {
  const { acp, open, instance_id, hostname } = await ownAgent();
  const page = await open('timeline');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Stop…' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
  await acp.instances.waitUntilRunning(instance_id, { timeoutMs: 120_000 });
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Terminate…' }).click();
  await page.getByLabel(`Type ${hostname}`).fill(hostname);
  await page.getByRole('button', { name: 'Terminate for good' }).click();
  await expect.poll(async () => (await acp.instances.get(instance_id)).status).toBe('terminated');
  await page.getByText('ended').first().waitFor();
});

it('restarts an agent, and says why its runtime is not up', async () => {
  const { acp, house, visitor, open, instance_id } = await ownAgent();
  const page = await open('timeline');
  Object.assign(house.engine, { failure: 'image_pull_failed' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Restart…' }).click();
  await expectGoodLooks(visitor, page, 'agent-restart');
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await page.getByRole('heading', { name: 'Restart, failed' }).waitFor();
  await page.getByText('Its image cannot be fetched').first().waitFor();
  await expectGoodLooks(visitor, page, 'agent-restart-failed');
  house.engine.failure = undefined;
  await expect
    .poll(async () => (await acp.instances.get(instance_id)).runtime)
    .toMatchObject({ state: 'up', generation: 2 });
});

it('upgrades to what it has shown', async () => {
  const { acp, visitor, hostname, instance_id } = await ownAgent();
  const { recipe_id } = await acp.instances.get(instance_id);
  const recipe = await acp.recipes.create({
    name: 'Night desk',
    system_prompt: 'You answer at night.',
    skills: ['staff_query'],
    channel_types: ['playground'],
  });
  expect(recipe.id).not.toBe(recipe_id);
  const { tier_id, region_id, customer_id } = await acp.instances.get(instance_id);
  const made = await acp.deploy({
    customer_id: customer_id ?? expect.unreachable(),
    recipe_id: recipe.id,
    tier_id,
    region_id,
    hostname: `night-${hostname}`,
  });
  await acp.instances.waitUntilRunning(made.instance_id, { timeoutMs: 120_000 });
  await acp.recipes.update(recipe.id, {
    system_prompt: 'You answer at night, briefly.',
    skills: ['staff_query', 'timesheet'],
    connection_requirements: [{ provider: 'sms_gateway' }],
  });
  const page = await visitor.open(`/instances/${made.instance_id}/upgrade`);
  await page.getByText('It may use the skill timesheet.').waitFor();
  await expectGoodLooks(visitor, page, 'agent-upgrade-lacks');
  await page.getByRole('button', { name: 'Add sms_gateway' }).click();
  await page.getByLabel('Name of the credential').fill('token');
  await page.getByLabel('Its value').fill('a-token');
  await page.getByRole('button', { name: 'Add the connection' }).click();
  await page.getByRole('button', { name: 'Upgrade to r2' }).click();
  await page.getByRole('heading', { name: 'Upgrade', exact: true }).waitFor();
  await expect.poll(async () => (await acp.instances.get(made.instance_id)).recipe_revision).toBe(2);
  await page.getByText('The new configuration is in use').waitFor();
  await expectGoodLooks(visitor, page, 'agent-timeline-upgraded');
});

it('follows the log, pauses it and finds lines', async () => {
  const { house, visitor, open, instance_id } = await ownAgent();
  const say = (...lines: string[]) =>
    house.operations.post(`/internal/v1/instances/${instance_id}/logs`, { lines });
  await say('listening on 127.0.0.1:39127', 'model gateway answers', `skills ${'staff_query '.repeat(40)}`);
  const page = await open('logs');
  const log = page.getByRole('log');
  await log.getByText('model gateway answers').waitFor();
  await expectGoodLooks(visitor, page, 'agent-logs-lines');
  await page.getByRole('button', { name: 'Pause' }).click();
  await say('said while paused');
  await page.getByRole('button', { name: 'Follow' }).click();
  await log.getByText('said while paused').waitFor();
  await page.getByRole('searchbox').fill('gateway');
  await expect.poll(() => log.locator('p').count()).toBe(1);
});

it('answers in the playground, to a stranger and to somebody it knows', async () => {
  const { visitor, open } = await ownAgent();
  const page = await open('talk');
  await page.getByLabel('You write as').selectOption({ label: 'Ana Silva, chatapp' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.getByRole('link', { name: 'See it in the inbox' }).waitFor();
  await page.getByRole('log').getByText('Hello').waitFor();
  expect(page.url()).toContain('as=');
  await expectGoodLooks(visitor, page, 'agent-talk-said');
});

it('changes the PIN policy and shows a key once', async () => {
  const { acp, visitor, open, instance_id } = await ownAgent();
  const page = await open('access');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Skills that ask for a PIN').fill('timesheet');
  await page.getByLabel('Who is asked').selectOption('customer');
  await expectGoodLooks(visitor, page, 'agent-pin-policy');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Asks everybody but owners for a PIN before timesheet').waitFor();
  const policy = await acp.call('get_pin_policy', { path: { instance_id } });
  expect(policy).toMatchObject({ pin_applies_to: 'customer', pin_required_skills: ['timesheet'] });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByText('It is shown this once').waitFor();
  await expectGoodLooks(visitor, page, 'agent-access-key');
});

it('shows whom a shared agent serves, and removes one', async () => {
  const { acp, visitor, open, instance_id } = await ownAgent({ hosting_mode: 'shared' });
  const page = await open('customers');
  await page.getByRole('link', { name: 'Harbour Logistics' }).first().waitFor();
  await expectGoodLooks(visitor, page, 'agent-customers');
  await page.getByRole('button', { name: 'Actions for Harbour Logistics' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const { hostname } = await acp.instances.get(instance_id);
  await page.getByLabel(`Type ${hostname}`).fill(hostname);
  await page.getByRole('button', { name: 'Remove the customer' }).click();
  await expect.poll(async () => (await acp.instances.get(instance_id)).status).toBe('terminated');
});

it('says why an agent failed, and tries again', async () => {
  const { acp, visitor, open, instance_id } = await ownAgent({ isBroken: true });
  const page = await open('timeline');
  await page.getByRole('heading', { name: 'Deploy, failed' }).waitFor();
  await expectGoodLooks(visitor, page, 'agent-timeline-failed');
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
  await page.getByRole('button', { name: /^Failed/ }).click();
  await page.getByText('failed', { exact: true }).waitFor();
  await expectGoodLooks(visitor, page, 'agents-failed');
  await page.goBack();
  await page.goBack();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(async () => (await acp.instances.get(instance_id)).status).toBe('running');
  await page.getByText('The runtime is healthy').waitFor();
});

it('shows when it speaks by itself', async () => {
  const { visitor, open } = await ownAgent({
    trigger_templates: [
      { name: 'morning', schedule: '0 8 * * 1-5', prompt: 'Greet.', to: '61400000001' },
      { name: 'often', schedule: '*/15 9-17 * * *', prompt: 'Ask.', to: '61400000009' },
    ],
  });
  const page = await open('triggers');
  await page.getByText('08:00 on weekdays in Sydney').waitFor();
  await expectGoodLooks(visitor, page, 'agent-triggers-rows');
});

it('shows the latest calls of tools, each opened on demand', async () => {
  const { acp, house, open, instance_id } = await ownAgent();
  const { conversation_id } = await acp.call('write_in_playground', {
    path: { instance_id },
    body: { text: 'Who is free?' },
  });
  const answer = {
    text: 'Ana is.',
    tool_calls: [
      { name: 'crm__find', arguments: { skill: 'forklift' }, latency_ms: 34, result: 'Ana Silva' },
    ],
  };
  const path = `/internal/v1/instances/${instance_id}/conversations/${conversation_id}/messages`;
  expect((await house.operations.post(path, answer)).status).toBe(202);
  const page = await open('tools');
  await page.getByText('answered in 34 ms').click();
  await page.getByText('Ana Silva').waitFor();
});

it('is talked to by taps on what it offers', async () => {
  const { acp, house, open, instance_id, visitor } = await ownAgent();
  const { conversation_id } = await acp.call('write_in_playground', {
    path: { instance_id },
    body: { text: 'Can I swap Friday?' },
  });
  const path = `/internal/v1/instances/${instance_id}/conversations/${conversation_id}/messages`;
  const buttons = [
    { id: 'swap', title: 'Yes, swap' },
    { id: 'keep', title: 'No' },
  ];
  expect((await house.operations.post(path, { text: 'Shall I?', buttons })).status).toBe(202);
  const page = await open(`talk?conversation=${conversation_id}`);
  await page.getByRole('button', { name: 'Yes, swap' }).click();
  await expect
    .poll(async () =>
      (await acp.conversations.listMessages(conversation_id, {})).items.map(({ kind, text }) => [kind, text]),
    )
    .toContainEqual(['button_reply', 'Yes, swap']);
  await expect.poll(() => page.getByRole('button', { name: 'Yes, swap' }).count()).toBe(0);
  await expectGoodLooks(visitor, page, 'agent-talk-choices');
});

it('offers a member what members may do', async () => {
  const { house, acp, instance_id } = await furnishedTenant();
  const admin_email = `member-${randomUUID()}@harbour.example`;
  await acp.users.create({ email: admin_email, password: PASSWORD, role: 'member' });
  const visitor = await Visitor.of(house, { admin_email });
  const page = await visitor.open('/instances');
  await page.getByRole('link', { name: 'crew.harbour.example' }).waitFor();
  expect(await page.getByRole('link', { name: 'Deploy an agent' }).count()).toBe(0);
  for (const tab of TABS) {
    await page.goto(`${house.base_url}/instances/${instance_id}/${tab}`);
    await settled(page);
    await page.getByRole('link', { name: 'Access' }).waitFor();
  }
  expect(await page.getByRole('link', { name: 'Logs' }).count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
