import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { PASSWORD } from '../../../server/test/support/service.ts';
import { expectAccessible, expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

it('shows customers, finds them by name and opens one by keyboard', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/customers');
  await expectGoodLooks(visitor, page, 'customers');
  await page.keyboard.press('/');
  await page.keyboard.type('harbour');
  await page.getByText('1 customer with “harbour”').waitFor();
  await page.getByRole('searchbox').blur();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Harbour Logistics' }).waitFor();
  expect(page.url()).toBe(`${tenant.house.base_url}/customers/${tenant.customer_id}/overview`);
  await page.getByText('crew.harbour.example').waitFor();
  await expectGoodLooks(visitor, page, 'customer-overview');
});

it('adds a customer, changes it and deletes it', async () => {
  const { house, ...tenant } = await furnishedTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/customers?open=new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Quay Six');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('OPS@harbour.example');
  await page.getByRole('button', { name: 'Add the customer' }).click();
  await page.getByRole('alert').waitFor();
  expect(visitor.complaints.splice(0)).toMatchObject([expect.stringContaining('409')]);
  await expectAccessible(page, 'a refused customer');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('quay@six.example');
  await page.getByRole('button', { name: 'Add the customer' }).click();
  await page.getByRole('heading', { name: 'Quay Six' }).waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('in Tokyo').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByLabel('Type Quay Six').fill('Quay Six');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'Customers' }).waitFor();
  const { total } = await tenant.acp.customers.list({ q: 'quay@six.example' });
  expect(total).toBe(0);
});

it('does not offer customers to a member', async () => {
  const { house, acp } = await furnishedTenant();
  const admin_email = `${randomUUID()}@example.com`;
  await acp.call('create_user', { body: { email: admin_email, password: PASSWORD, role: 'member' } });
  const visitor = await Visitor.of(house, { admin_email });
  const page = await visitor.open('/customers');
  await page.getByText('Only admins of this tenant may see it.').waitFor();
  expect(await page.getByRole('button', { name: 'Customer' }).count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
