import { expect, it } from 'vitest';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { ownCustomer } from '../support/own-customer.ts';

it.each([
  'connections',
  'identities',
  'websites',
  'subscriptions',
  'rules',
  'config',
  'pin',
  'budget',
  'staff',
  'shifts',
  'timesheets',
])('the %s of a customer look good', async (tab) => {
  const { house, customer_id, ...tenant } = await furnishedTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open(`/customers/${customer_id}/${tab}`);
  await expectGoodLooks(visitor, page, `customer-${tab}`);
});

it('adds a connection unseen, and gives it a new token', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  const page = await open('connections');
  await expectGoodLooks(visitor, page, 'customer-connections-empty');
  await page.getByRole('button', { name: 'Add a connection' }).click();
  await page.getByLabel('Access token').fill('a-first-token');
  expect(await page.getByLabel('Access token').getAttribute('type')).toBe('password');
  await page.getByLabel('Hosts of tool servers').fill('mcp.example.com\ncrm.example.com');
  await expectGoodLooks(visitor, page, 'customer-connection-new');
  await page.getByRole('button', { name: 'Add the connection' }).click();
  await page.getByRole('link', { name: 'Chat app' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Main number');
  await page.getByLabel('Access token').fill('another-token');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Main number' }).waitFor();
  const { items } = await acp.call('list_connections', { path: { customer_id }, query: {} });
  expect(items).toMatchObject([
    { provider: 'chatapp', name: 'Main number', allowed_hosts: ['mcp.example.com', 'crm.example.com'] },
  ]);
});

it('makes a sender known', async () => {
  const { acp, customer_id, open } = await ownCustomer();
  const page = await open('identities?open=new');
  await page.getByRole('textbox', { name: 'Address' }).fill('4915112345678');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mara');
  await page.getByRole('button', { name: 'Add the sender' }).click();
  await page.getByRole('link', { name: 'Mara' }).waitFor();
  const { items } = await acp.call('list_identities', { path: { customer_id }, query: {} });
  expect(items).toMatchObject([{ external_id: '4915112345678', verified: true }]);
});

it('tells agents rules, and keeps those of others', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  const path = { customer_id };
  await acp.call('replace_customer_rules', { path, body: { instructions: ['Be brief.'], tone: 'calm' } });
  const page = await open('rules');
  await page.getByText('“tone”').waitFor();
  await page.getByRole('button', { name: 'Another rule' }).click();
  await page.getByRole('textbox', { name: 'Rule 2' }).fill('Never name a price.');
  await expectGoodLooks(visitor, page, 'customer-rules-filled');
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByText('Nothing is changed.').waitFor();
  expect(await acp.call('get_customer_rules', { path })).toEqual({
    instructions: ['Be brief.', 'Never name a price.'],
    tone: 'calm',
  });
  await page.getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Rules' }).waitFor();
  await expectGoodLooks(visitor, page, 'customer-rules-json');
});

it('sets what wins over the recipe', async () => {
  const { acp, customer_id, visitor, open } = await ownCustomer();
  const page = await open('config');
  await page.getByLabel('Greeting').fill('Welcome to Quay Six.');
  await page.getByLabel('Business hours').selectOption('By day');
  await page.getByLabel('Monday').fill('09:00-12:00, 13:00-17:00');
  await page.getByLabel('None, also where the recipe has one').last().check();
  await expectGoodLooks(visitor, page, 'customer-config-filled');
  await page.getByRole('button', { name: 'Save the configuration' }).click();
  await page.getByText('The configuration is saved.').waitFor();
  expect(await acp.call('get_customer_config', { path: { customer_id } })).toEqual({
    channel_config: {
      greeting: 'Welcome to Quay Six.',
      business_hours: {
        mon: [
          ['09:00', '12:00'],
          ['13:00', '17:00'],
        ],
      },
    },
    compliance_config: { disclaimer: null },
  });
});

it('sets a PIN and a limit, and takes them away', async () => {
  const { acp, customer_id, open } = await ownCustomer();
  const path = { customer_id };
  const page = await open('pin');
  await page.getByLabel('PIN', { exact: true }).last().fill('246810');
  await page.getByRole('button', { name: 'Set the PIN' }).click();
  await page.getByText('A PIN is set').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove the PIN' }).click();
  await page.getByText('None is set.').waitFor();
  await page.getByRole('link', { name: 'Budget' }).click();
  await page.getByLabel('US dollars').fill('12.5');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('of $12.50').waitFor();
  expect(await acp.call('get_customer_budget', { path })).toMatchObject({ monthly_tokens: null });
  await page.getByRole('button', { name: 'Remove the limits' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the limits' }).click();
  await page.getByText('without a limit', { exact: true }).waitFor();
});
