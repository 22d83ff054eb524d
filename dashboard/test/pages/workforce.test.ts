import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { tellHours } from '../support/hours.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

it('decides hours by row and by selection', async () => {
  const { house, acp, customer_id, instance_id, ...tenant } = await furnishedTenant();
  const person_id = await tellHours({ house, acp, customer_id, instance_id }, 'Noor Haddad', 7.5);
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open(`/workforce/timesheets?person_id=${person_id}`);
  await page.getByRole('checkbox', { name: /^Noor Haddad/ }).check();
  await expectGoodLooks(visitor, page, 'workforce-timesheets-chosen');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('1 timesheet is approved.').waitFor();
  await page.getByText('There are no such timesheets.').waitFor();
  await expectGoodLooks(visitor, page, 'workforce-timesheets-empty');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: /Decide anew/ }).click();
  await page.getByRole('menuitem', { name: 'Let it wait again' }).click();
  await page.getByText('1 timesheet is waiting again.').waitFor();
  await expectGoodLooks(visitor, page, 'workforce-timesheets-all');
  const { items } = await acp.call('list_timesheets', { path: { customer_id }, query: { person_id } });
  expect(items).toMatchObject([{ status: 'submitted', hours: 7.5 }]);
});

it('narrows hours to one person and some days, and keeps that in the address', async () => {
  const { house, ...tenant } = await furnishedTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/workforce/timesheets?status=all');
  const whose = page.getByRole('combobox', { name: 'Customer or person' });
  await whose.fill('ana');
  await page.getByRole('option', { name: /Ana Silva/ }).click();
  await page.waitForURL(/person_id=/);
  await page.getByLabel('First day').fill('2030-01-01');
  await page.getByText('There are no such timesheets.').waitFor();
  await page.reload();
  await expect.poll(() => whose.inputValue()).toBe('Ana Silva');
  await whose.fill('');
  await page.getByLabel('First day').fill('2020-01-01');
  await page
    .getByRole('row', { name: /Ana Silva/ })
    .first()
    .waitFor();
  expect(page.url()).not.toContain('person_id');
});

it('shows certificates that end, the soonest first, with their people', async () => {
  const { house, acp, ...tenant } = await furnishedTenant();
  const { id: customer_id } = await acp.customers.create({ email: `${randomUUID()}@example.com` });
  await acp.staff.createCustomerStaff(customer_id, {
    name: 'Mara Lind',
    certifications: [
      { type: 'first_aid', expires_at: inDays(30) },
      { type: 'crane_ticket', expires_at: inDays(5) },
    ],
  });
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/workforce/certificates');
  await page.getByText('Crane ticket').waitFor();
  await expectGoodLooks(visitor, page, 'workforce-certificates');
  const rows = await page.getByRole('row').filter({ hasText: 'Mara Lind' }).allInnerTexts();
  expect(rows).toMatchObject([expect.stringContaining('Crane ticket'), expect.stringContaining('First aid')]);
  expect(await page.getByRole('link', { name: 'Mara Lind' }).first().getAttribute('href')).toContain(
    customer_id,
  );
});
