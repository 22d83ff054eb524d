import { randomUUID } from 'node:crypto';
import { ControlPlane } from '@agent-control-plane/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { EventReceiver } from '../../../server/test/support/event-receiver.ts';
import { FakeLanguageModel } from '../../../server/test/support/fake-language-model.ts';
import { OPERATIONS_TOKEN, PASSWORD } from '../../../server/test/support/service.ts';
import { expectGoodLooks, settled, Visitor } from '../support/browser.ts';
import { clientOf } from '../support/furnished.ts';
import { theHouse } from '../support/house.ts';

async function ownTenant() {
  const house = await theHouse();
  const tenant = await house.createTenant('Harbour Group');
  return { house, tenant, acp: await clientOf(house, tenant) };
}

it('makes a key whose scopes are chosen in a table, replaces and revokes it', async () => {
  const { house, tenant, acp } = await ownTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/keys?open=new');
  await page.getByLabel('Name', { exact: true }).fill('Deploy bot');
  await page.getByLabel('Recipes, rules and flows: read').check();
  for (const verb of ['read', 'write', 'delete'])
    await page.getByLabel(`Agents: ${verb}`, { exact: true }).check();
  await expectGoodLooks(visitor, page, 'settings-key-new');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const secret = await page.getByRole('dialog').locator('code').textContent();
  await expectGoodLooks(visitor, page, 'settings-key-once');
  const { scopes, rate_limit } = (await acp.apiKeys.list({})).items[0] ?? expect.unreachable();
  expect({ scopes: scopes.toSorted(), rate_limit }).toEqual({
    scopes: ['instances:*', 'recipes:read'],
    rate_limit: { limit: 600, window_seconds: 60 },
  });
  const asked = await house.anonymous.with({ 'x-api-key': secret ?? '' }).get('/v1/recipes');
  expect(asked.status).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await expectGoodLooks(visitor, page, 'settings-keys');
  await page.getByRole('button', { name: 'Actions for Deploy bot' }).click();
  await page.getByRole('menuitem', { name: 'Replace…' }).click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  const replaced = await page.getByRole('dialog').locator('code').textContent();
  expect(replaced).not.toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for Deploy bot' }).first().click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect.poll(async () => (await acp.apiKeys.list({})).items.length).toBe(2);
});

it('tells a program of events, tests it, and shows and repeats its deliveries', async () => {
  const { house, tenant, acp } = await ownTenant();
  const receiver = await EventReceiver.start();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/events?open=new');
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('What it is for').fill('Help desk');
  await page.getByLabel('one of these happens').check();
  await page.getByLabel('An approval is asked for').check();
  await expectGoodLooks(visitor, page, 'settings-events-new');
  await page.getByRole('button', { name: 'Send events there' }).click();
  expect(await page.getByRole('dialog').locator('code').textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for Help desk' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Send a test');
  await receiver.hasReceived(1);
  await page.getByText('delivered', { exact: true }).waitFor();
  await expectGoodLooks(visitor, page, 'settings-events');
  await page.getByRole('button', { name: 'Send again: A test' }).click();
  await receiver.hasReceived(2);
  await act('Change…');
  await page.getByLabel('anything happens, also of kinds to come').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Everything', { exact: true }).waitFor();
  await act('Replace the secret…');
  await page.getByRole('button', { name: 'Make the new secret' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await act('Switch off');
  await page.getByText('off', { exact: true }).waitFor();
  const [endpoint] = (await acp.events.listEndpoints({})).items;
  expect(endpoint).toMatchObject({
    url: receiver.url,
    events: ['*'],
    is_active: false,
    description: 'Help desk',
  });
  await act('Delete…');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('Nobody is told of events yet.').waitFor();
  await page.getByText(/^Deliveries to/).waitFor({ state: 'detached' });
});

it('invites a person by a link shown once, and takes the invitation back', async () => {
  const { house, tenant, acp } = await ownTenant();
  await acp.users.create({
    email: `ben-${randomUUID()}@harbour.example`,
    password: PASSWORD,
    role: 'member',
  });
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/users');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByLabel('E-mail').fill('ana@harbour.example');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByText('/invitations/accept#token=').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('ana@harbour.example', { exact: true }).waitFor();
  await expectGoodLooks(visitor, page, 'settings-users');
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Invited, and not here yet').waitFor({ state: 'detached' });
  const { items } = await acp.call('list_invitations', { query: {} });
  expect(items).toEqual([]);
});

it('connects a model provider, checks it and names its models', async () => {
  const { house, tenant } = await ownTenant();
  await house.operations.put('/internal/v1/models', {
    models: [
      { model_id: 'house-large', display_name: 'House large', cost_input_per_mtok: '1.25' },
      { model_id: 'house-small', display_name: 'House small', is_deprecated: true, context_window: 128000 },
    ],
  });
  const provider = await FakeLanguageModel.start();
  onTestFinished(() => provider.stop());
  provider.respond = (response) => response.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }));
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/models?open=new');
  await page.getByLabel('Short name').fill('house');
  await page.getByLabel('Address').fill(provider.base_url);
  await page.getByRole('button', { name: 'Save and check' }).click();
  await page.getByText(/^answers/).waitFor();
  await expectGoodLooks(visitor, page, 'settings-models');
  await page.getByRole('button', { name: 'Actions for house' }).click();
  await page.getByRole('menuitem', { name: 'Choose a model…' }).click();
  await page
    .getByText(/^house\//)
    .first()
    .waitFor();
  await expectGoodLooks(visitor, page, 'settings-models-choose');
});

it('writes a rules template and an onboarding flow as sentences', async () => {
  const { house, tenant, acp } = await ownTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/rules-templates?open=new');
  await page.getByLabel('Name').fill('Crew rules');
  await page.getByLabel('Rule 1', { exact: true }).fill('Never name a price.');
  await page.getByRole('button', { name: 'Save the template' }).click();
  await page.getByText('Never name a price.').waitFor();
  await expectGoodLooks(visitor, page, 'settings-rules');
  await page.getByRole('link', { name: 'Onboarding flows' }).click();
  await page.getByRole('button', { name: 'Onboarding flow', exact: true }).click();
  await page.getByLabel('Name').fill('New crew');
  await page.getByLabel('1. Asked or told').fill('What is your name?');
  await page.getByLabel('Keep the reply as').fill('name');
  await page.getByRole('button', { name: 'Another step' }).click();
  await page.getByLabel('2. Asked or told').fill('Thank you. Somebody verifies your number.');
  await expectGoodLooks(visitor, page, 'settings-flow-new');
  await page.getByRole('button', { name: 'Save the flow' }).click();
  await page.getByText('What is your name?').waitFor();
  await expectGoodLooks(visitor, page, 'settings-flows');
  const { items } = await acp.call('list_onboarding_flows', { query: {} });
  expect(items.map(({ steps }) => steps)).toEqual([
    [
      { text: 'What is your name?', save_as: 'name' },
      { text: 'Thank you. Somebody verifies your number.', save_as: null },
    ],
  ]);
});

it('shows what is approved, how much of each limit is used and who changed what', async () => {
  const { house, tenant, acp } = await ownTenant();
  await acp.call('create_primitive', { body: { kind: 'skill', slug: 'night_roster' } });
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/primitives');
  await expectGoodLooks(visitor, page, 'settings-primitives');
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByText('API keys', { exact: true }).nth(1).waitFor();
  await expectGoodLooks(visitor, page, 'settings-limits');
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Created primitive' }).click();
  await page.getByRole('button', { name: 'Verify the record' }).click();
  await page.getByText('none is missing').waitFor();
  await expectGoodLooks(visitor, page, 'settings-audit');
  await page.getByRole('button', { name: 'Tool calls' }).click();
  await settled(page);
  await expectGoodLooks(visitor, page, 'settings-audit-calls');
});

it('changes a password and an appearance, and ends another session', async () => {
  const { house, tenant } = await ownTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/settings/me#keys');
  await expectGoodLooks(visitor, page, 'settings-me');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(() => page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
  await page.getByLabel('Single letters act').uncheck();
  await expect.poll(() => page.evaluate('localStorage.getItem("acp-keys")')).toBe('off');
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  await rows.filter({ hasNotText: 'this browser' }).getByRole('button', { name: 'End' }).click();
  await page.getByRole('button', { name: 'End the session' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Password of now').fill(PASSWORD);
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed').waitFor();
  await house.login(tenant.admin_email, 'another long password');
});

it('goes to another tenant, and sets a password without the one before after a link', async () => {
  const { house, tenant } = await ownTenant();
  const operator = new ControlPlane({ baseUrl: house.base_url, operationsToken: OPERATIONS_TOKEN });
  const { tenant_id, admin_user_id: user_id } = tenant;
  const { url } = await operator.call('create_sign_in_link', { path: { tenant_id, user_id } });
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open(url.slice(url.indexOf('/start')));
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed').waitFor();
  const other = await house.createTenant('Pier Nine Group');
  const admin = await clientOf(house, other);
  const { invitation_token } = await admin.call('create_invitation', {
    body: { email: tenant.admin_email, role: 'member' },
  });
  const { headers } = await house.login(tenant.admin_email, 'another long password');
  const joined = house.anonymous.with({ authorization: headers.authorization ?? '' });
  expect((await joined.post('/auth/invitations/accept', { invitation_token })).status).toBe(200);
  await page.reload();
  const tenants = page.getByRole('listitem').filter({ hasText: 'Pier Nine Group' });
  await tenants.getByRole('button').scrollIntoViewIfNeeded();
  await expectGoodLooks(visitor, page, 'settings-me-tenants');
  await tenants.getByRole('button').click();
  await page.getByRole('link', { name: 'Pier Nine Group' }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
});

it('offers members what they may do', async () => {
  const { house, acp } = await ownTenant();
  const email = `member-${randomUUID()}@harbour.example`;
  await acp.users.create({ email, password: PASSWORD, role: 'member' });
  const visitor = await Visitor.of(house, { admin_email: email });
  const page = await visitor.open('/settings/primitives');
  await settled(page);
  const tabs = await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents();
  expect(tabs).toEqual(['Me', 'Models', 'Primitives', 'Rules templates', 'Onboarding flows', 'Limits']);
  expect(await page.getByRole('button', { name: 'Primitive' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByText('Recipes', { exact: true }).nth(1).waitFor();
  expect(visitor.complaints).toEqual([]);
});
