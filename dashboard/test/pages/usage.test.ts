import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { insertInstance } from '../../../server/test/support/instances.ts';
import { PASSWORD } from '../../../server/test/support/service.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { clientOf, furnishedTenant } from '../support/furnished.ts';

/** Days of this month until now, with as much use as their number says. */
const daysSoFar = () => Array.from({ length: new Date().getUTCDate() }, (_, at) => at + 1);

/** A tenant of this test's own, whose agents have used three models, one of them without a price. */
async function spendingTenant() {
  const { house } = await furnishedTenant();
  const tenant = await house.createTenant('Harbour Group');
  const acp = await clientOf(house, tenant);
  const month = new Date().toISOString().slice(0, 8);
  const models = [
    { model: 'gpt-5-mini', price: 0.004 },
    { model: 'gpt-5', price: 0.0021 },
    { model: 'house/small', price: null },
  ];
  await house.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits: { monthly_cost: 400 } });
  const spend = (customer_id: string | null, cost: number) =>
    house.database.query(
      'insert into llm_spending (tenant_id, month, customer_id, cost, tokens) values ($1, $2, $3, $4, $5)',
      [tenant.tenant_id, `${month}01`, customer_id, cost, 4_100_000],
    );
  await spend(null, 82.92);
  for (const [company_name, spent] of [
    ['Harbour Logistics', 12.4],
    ['Northwind Terminals', 38.02],
    ['Halden Foods', 40],
  ] as const) {
    const { id, customer_id } = await insertInstance(house, tenant.tenant_id);
    await acp.call('update_customer', { path: { customer_id }, body: { company_name } });
    await acp.call('put_customer_budget', { path: { customer_id }, body: { monthly_cost: 40 } });
    await spend(customer_id, spent);
    for (const day of daysSoFar())
      for (const [nth, { model, price }] of models.entries()) {
        const calls = ((day * 7 + nth * 5 + company_name.length) % 23) + 3;
        await house.database.query(
          `insert into llm_days (tenant_id, day, instance_id, customer_id, model, calls, unpriced_calls,
             input_tokens, cached_input_tokens, output_tokens, cost)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
          [
            tenant.tenant_id,
            `${month}${String(day).padStart(2, '0')}`,
            id,
            customer_id,
            model,
            calls,
            price === null ? calls : 0,
            calls * 3300,
            calls * 1900,
            calls * 230,
            price === null ? null : calls * price * 12,
          ],
        );
      }
  }
  return { house, acp, tenant };
}

it('shows what models cost by day and model, and the same by customer, as a file too', async () => {
  const { house, acp, tenant } = await spendingTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/usage');
  await page.getByText(/calls have no price/).waitFor();
  await page.getByText('house/small: what they cost stays unknown').waitFor();
  await expectGoodLooks(visitor, page, 'usage');
  await page.getByLabel('Grouped').selectOption('by customer');
  await page.getByRole('link', { name: 'Northwind Terminals' }).first().waitFor();
  await expectGoodLooks(visitor, page, 'usage-customers');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /usage-by-customer/ }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  const { items } = await acp.call('get_usage', { query: { group_by: 'customer' } });
  for (const { customer_name, calls, cost } of items)
    expect(text).toMatch(new RegExp(`^${customer_name},.*,${calls},.*,${cost}$`, 'm'));
  await page.getByRole('button', { name: 'Tokens', exact: true }).click();
  await page.getByRole('img', { name: /^Tokens by day and customer/ }).waitFor();
  await page.getByLabel('First day').fill(`${new Date().getUTCFullYear() - 1}-03-01`);
  await page.getByRole('option', { name: 'Other days', selected: true }).waitFor({ state: 'attached' });
  await page.getByLabel('Period').selectOption('Last month');
  await page.getByText('No language model was called in these days.').waitFor();
  await expectGoodLooks(visitor, page, 'usage-empty');
});

it('shows a member what was used, but no budgets and no numbers', async () => {
  const { house, acp } = await furnishedTenant();
  const admin_email = `${randomUUID()}@example.com`;
  await acp.call('create_user', { body: { email: admin_email, password: PASSWORD, role: 'member' } });
  const visitor = await Visitor.of(house, { admin_email });
  const page = await visitor.open('/usage');
  await page.getByRole('heading', { name: 'Limits of the tenant' }).waitFor();
  await expectGoodLooks(visitor, page, 'usage-member');
  expect(await page.getByRole('heading', { name: 'Budgets of customers' }).count()).toBe(0);
  await page.goto(`${house.base_url}/channels`);
  await page.getByText('Only admins of this tenant may see it').waitFor();
});
