import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

/** A customer of this test's own, without a connection. */
async function ownCustomer() {
  const { house, acp, recipe_id, ...tenant } = await furnishedTenant();
  const company_name = `Quay ${randomUUID().slice(0, 6)}`;
  const { id } = await acp.customers.create({ email: `${randomUUID()}@example.com`, company_name });
  const visitor = await Visitor.of(house, tenant);
  return { acp, visitor, recipe_id, company_name, customer_id: id };
}

it('deploys for a customer whose connection is added in place', async () => {
  const { acp, visitor, company_name, customer_id } = await ownCustomer();
  const page = await visitor.open('/deploy');
  await page.getByText('Choose a recipe and a customer').waitFor();
  await expectGoodLooks(visitor, page, 'deploy-begin');
  await page.getByLabel('Recipe and revision').selectOption({ label: 'Crew desk r1' });
  await page.getByRole('combobox', { name: 'Customer, by name or e-mail' }).fill(company_name);
  await page.getByRole('option', { name: company_name }).click();
  await page.getByText('1 connection is missing').waitFor();
  await expectGoodLooks(visitor, page, 'deploy-lacks');
  await page.getByRole('button', { name: 'Add Chat app' }).click();
  await page.getByLabel('Access token').fill('a-token');
  await page.getByRole('button', { name: 'Add the connection' }).click();
  await page.getByText('Nothing is missing').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('crew.harbour.example');
  await page.getByText('Another agent has this name').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('crew.quay.example');
  await page.getByText('Another agent has this name').waitFor({ state: 'detached' });
  await expectGoodLooks(visitor, page, 'deploy-ready');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('heading', { name: 'crew.quay.example' }).waitFor();
  await page.getByText('The runtime is healthy').waitFor();
  const { items } = await acp.instances.list({ customer_id });
  expect(items).toMatchObject([{ hostname: 'crew.quay.example' }]);
});

it('tries an agent here first, without a connection', async () => {
  const { acp, visitor, recipe_id, customer_id } = await ownCustomer();
  const page = await visitor.open(`/deploy?recipe=${recipe_id}&customer=${customer_id}`);
  await page.getByText('1 connection is missing').waitFor();
  await page.getByLabel('Try it here first').check();
  await page.getByText('Nothing is missing').waitFor();
  await page.getByText('More settings').click();
  const editor = page.getByRole('textbox', { name: 'Fields that are different' });
  await editor.fill('{"system_prompt": "You answer at night."}');
  await page.getByTitle('You answer at night.').waitFor();
  await expectGoodLooks(visitor, page, 'deploy-overrides');
  await page.getByRole('button', { name: 'Deploy and talk' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const { items } = await acp.instances.list({ customer_id });
  const [made = expect.unreachable()] = items;
  const { resolved_config } = await acp.instances.get(made.id);
  expect(resolved_config).toMatchObject({
    channel_types: ['playground'],
    system_prompt: 'You answer at night.',
  });
});
