import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { tellHours } from '../support/hours.ts';
import { ownCustomer } from '../support/own-customer.ts';

it('adds a person with skills and a certificate, changes it and binds an address', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  const page = await open('staff');
  await page.getByRole('button', { name: 'Person' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Jo Mbeki');
  await page.getByLabel('Skills').fill('forklift, first aid');
  await page.getByRole('button', { name: 'Add a certificate' }).click();
  await page.getByLabel('Name of certificate 1').fill('first_aid');
  await page.getByLabel('Last day of certificate 1').fill('2027-03-31');
  await expectGoodLooks(visitor, page, 'customer-person-new');
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByRole('link', { name: 'Jo Mbeki' }).click();
  await page.getByLabel('State').last().selectOption('On leave');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The person is changed.').waitFor();
  const { staff } = await acp.staff.listCustomerStaff(customer_id, {});
  expect(staff).toMatchObject([
    {
      name: 'Jo Mbeki',
      status: 'on_leave',
      skills: ['forklift', 'first aid'],
      certifications: [{ type: 'first_aid', expires_at: '2027-03-31' }],
    },
  ]);
  await page.getByRole('button', { name: 'Actions for Jo Mbeki' }).click();
  await page.getByRole('menuitem', { name: 'Addresses' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('61400000042');
  await page.getByRole('button', { name: 'Add the address' }).click();
  await page.getByText('not verified yet').waitFor();
  await expectGoodLooks(visitor, page, 'customer-person-addresses');
});

it('imports nobody from a file that it does not understand', async () => {
  const { open } = await ownCustomer();
  const page = await open('staff?open=import');
  const choose = (buffer: Buffer) =>
    page.getByLabel('CSV file').setInputFiles({ name: 'crew.csv', mimeType: 'text/csv', buffer });
  await choose(Buffer.from('name,shoe size\nAna,43\n'));
  await page.getByText('Nobody was imported from crew.csv: unknown column shoe_size').waitFor();
  await choose(Buffer.from('name,role\nJosé,\n', 'latin1'));
  await page.getByText('line 2: name: the bytes are not UTF-8').waitFor();
  await choose(Buffer.from('\uFEFFname\trole\nJosé\t\n', 'utf16le'));
  await page.getByRole('button', { name: 'Import 1 person' }).waitFor();
});

it('imports a file in calls of 200, and gives back the rows that were not taken', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  const page = await open('staff?open=import');
  const rows = Array.from(
    { length: 250 },
    (_, at) => `Person ${at},crane; forklift,${at === 220 ? 9 : 1},${at === 7 ? '4.91711E+11' : ''}`,
  );
  await page.getByLabel('CSV file').setInputFiles({
    name: 'crew.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,skills,tier,phone', ...rows].join('\n')),
  });
  await page.getByText('a spreadsheet has rounded 4.91711E+11').waitFor();
  await expectGoodLooks(visitor, page, 'customer-staff-preview');
  await page.getByRole('button', { name: 'Import 249 people' }).click();
  await page.getByText('248 added, 0 changed, 2 not taken').waitFor();
  await expectGoodLooks(visitor, page, 'customer-staff-imported');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save those 2 as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('staff-not-taken.csv');
  await page.getByRole('button', { name: 'See the staff' }).click();
  await page.getByText('1 to 50 of 248').waitFor();
  const [exported] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as staff.csv' }).click(),
  ]);
  const lines = (await readFile(await exported.path(), 'utf8')).split('\r\n');
  expect([lines.length, lines[1]]).toEqual([249, 'Person 0,,,employee,crane; forklift,,,1,,']);
  const last = await acp.staff.listCustomerStaff(customer_id, { search: 'Person 99' });
  await page.goto(`${page.url()}?open=${last.staff[0]?.id}`);
  await page.getByRole('heading', { name: 'Change Person 99' }).waitFor();
  const { total } = await acp.staff.listCustomerStaff(customer_id, { skills: 'crane' });
  expect(total).toBe(248);
});

it('plans a shift by the clocks of the customer, and changes it', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  await acp.call('create_customer_staff', { path: { customer_id }, body: { name: 'Jo Mbeki' } });
  const page = await open('shifts');
  await page.getByRole('button', { name: 'Add a shift' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('jo');
  await page.getByRole('option', { name: 'Jo Mbeki' }).click();
  await page.getByLabel('Begins').fill('2030-07-01T22:00');
  await page.getByLabel('Ends').fill('2030-07-02T06:00');
  await page.getByLabel('Site').fill('Pier 9');
  await expectGoodLooks(visitor, page, 'customer-shift-new');
  await page.getByRole('button', { name: 'Add the shift' }).click();
  await page.getByText('Monday, 1 July 2030').waitFor();
  await page.getByRole('link', { name: 'Jo Mbeki' }).click();
  await page.getByLabel('Title').fill('Night shift');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Night shift · Pier 9').waitFor();
  const { items } = await acp.call('list_shifts', { path: { customer_id }, query: {} });
  expect(items).toMatchObject([
    { starts_at: '2030-07-01T12:00:00.000Z', ends_at: '2030-07-01T20:00:00.000Z', site: 'Pier 9' },
  ]);
  await page.getByRole('button', { name: 'Assignments' }).click();
  await page.getByText('Nobody is assigned').waitFor();
});

it('decides timesheets by selection', async () => {
  const { house, acp, customer_id, instance_id, ...tenant } = await furnishedTenant();
  const person_id = await tellHours({ house, acp, customer_id, instance_id }, 'Ole Berg', 4, 4);
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open(`/customers/${customer_id}/timesheets`);
  const boxes = page.getByRole('checkbox', { name: /^Ole Berg, .* Jan/ });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByText('2 timesheets, 8 hours').waitFor();
  await expectGoodLooks(visitor, page, 'customer-timesheets-chosen');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('2 timesheets are approved.').waitFor();
  const { items } = await acp.call('list_timesheets', { path: { customer_id }, query: { person_id } });
  expect(items.map(({ status }) => status)).toEqual(['approved', 'approved']);
});
