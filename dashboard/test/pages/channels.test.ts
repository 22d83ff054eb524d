import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { insertInstance, setInstanceStatus } from '../../../server/test/support/instances.ts';
import { createEndpoint, sendMessages, textMessage } from '../../../server/test/support/webhook.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

/** The channel's own answers about a number and its templates. */
function answerTemplates(path: string, response: ServerResponse): void {
  const answer = path.includes('message_templates')
    ? {
        data: [
          { name: 'we_are_back', language: 'en', status: 'APPROVED', components: [BODY] },
          { name: 'reminder', language: 'de', status: 'PENDING', components: [BODY] },
        ],
      }
    : { health_status: { entities: [{ entity_type: 'WABA', id: '77' }] } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
const BODY = { type: 'BODY', text: 'Hello {{1}}, we are here again.' };

it('registers a number, shows its token once, and sees the channel verify it', async () => {
  const { house, acp, instance_id, ...tenant } = await furnishedTenant();
  house.channel.onGet = answerTemplates;
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/channels');
  await page.getByText('verified').first().waitFor();
  await expectGoodLooks(visitor, page, 'channels');
  await page.getByRole('button', { name: 'Number', exact: true }).click();
  const phone_number_id = String(Date.now());
  await page.getByLabel('Id of the number').fill(phone_number_id);
  await page.getByRole('combobox', { name: 'Agent' }).fill('crew.harbour');
  await page.getByRole('option', { name: 'crew.harbour.example' }).click();
  await page.getByLabel('Connection that answers are sent with').selectOption('main');
  await page.getByLabel('App secret').fill('a-secret-of-the-channel');
  const token = await page.getByLabel('Verify token').inputValue();
  await expectGoodLooks(visitor, page, 'channel-new');
  await page.getByRole('button', { name: 'Add the number' }).click();
  await page.getByText('has not shown the verify token yet').waitFor();
  await page.getByText(token).waitFor();
  await page.getByText(`${house.base_url}/hooks/chatapp`).waitFor();
  await page.getByText('we_are_back').waitFor();
  await expectGoodLooks(visitor, page, 'channel-made');
  const challenge = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': '42',
  });
  await fetch(`${house.base_url}/hooks/chatapp?${challenge.toString()}`);
  await page.getByText('with the right token').waitFor();
  const { items } = await acp.call('list_channel_endpoints', { query: { search: phone_number_id } });
  expect(items).toMatchObject([{ instance_id, connection_name: 'main' }]);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Connection that answers are sent with').selectOption('The oldest one that works');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('the oldest connection that works').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete the number' }).click();
  await expect
    .poll(
      async () => (await acp.call('list_channel_endpoints', { query: { search: phone_number_id } })).total,
    )
    .toBe(0);
});

it('shows why messages were given up, and tries one again', async () => {
  const { house, acp, instance_id, ...tenant } = await furnishedTenant();
  const gone = await insertInstance(house, tenant.tenant_id);
  const endpoint = await createEndpoint(house, tenant, gone);
  await setInstanceStatus(house, gone.id, 'terminated');
  const from = `49151${String(Date.now()).slice(-8)}`;
  await sendMessages(house, endpoint, textMessage(`wamid.${randomUUID()}`, 'Anybody there?', from));
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/channels/messages');
  await page.getByText('The instance is terminated').waitFor();
  await expectGoodLooks(visitor, page, 'channel-messages');
  await acp.call('update_channel_endpoint', { path: { endpoint_id: endpoint.id }, body: { instance_id } });
  await page.getByRole('button', { name: `Try again: the message of ${from}` }).click();
  await page.getByText('1 message is tried again').waitFor();
  const messages = async () => {
    const { items } = await acp.call('list_channel_messages', { query: { status: 'delivered' } });
    return items.map(({ external_id }) => external_id);
  };
  await expect.poll(messages).toContain(from);
});

it('lists connections that have expired or will, and opens one at its customer', async () => {
  const { house, customer_id, ...tenant } = await furnishedTenant();
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/connections');
  await page.getByRole('heading', { name: 'Ends within six weeks' }).waitFor();
  await expectGoodLooks(visitor, page, 'connections');
  await page.getByRole('link', { name: 'drive' }).click();
  await page.getByRole('heading', { name: 'Change drive' }).waitFor();
  expect(page.url()).toContain(`/customers/${customer_id}/connections`);
});
