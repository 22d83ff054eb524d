import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { createAgent, write } from '../support/conversations.ts';
import { insertInstance } from '../support/instances.ts';
import { FakeMediaChannel, sending } from '../support/media-channel.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, type TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
const channel = new FakeMediaChannel();

beforeAll(async () => {
  const chatapp_api_base_url = await channel.start();
  service = await startTestService({ settings: { chatapp_api_base_url } });
  tenant = await service.createTenant('Acme');
  agent = await createAgent(service, tenant);
});
afterAll(async () => {
  await service.stop();
  channel.stop();
});

const list = (by: Client = tenant.api, { id }: { id: string } = agent) =>
  by.get<{ items: object[]; detail: string }>(`/v1/channel-endpoints/${id}/templates`);
const pathOf = (account: string, more = '') =>
  `/${account}/message_templates?fields=name%2Clanguage%2Cstatus%2Ccomponents&limit=100${more}`;
const tells = (path: string, answer: object, status = 200) =>
  channel.answers.set(path, sending('application/json', JSON.stringify(answer), status));
const keyOf = async (...scopes: string[]) =>
  service.anonymous.with({ 'x-api-key': await service.createKey(tenant.tenant_id, { scopes }) });

it('are those that the channel has now, for members who answer', async () => {
  tells(`/${agent.phone_number_id}?fields=health_status`, {
    health_status: {
      entities: [
        { entity_type: 'PHONE_NUMBER', id: agent.phone_number_id },
        { entity_type: 'WABA', id: '77' },
      ],
    },
  });
  const body = { type: 'BODY', text: 'Hi {{1}}, order {{ 2 }} of {{1}}' };
  tells(pathOf('77'), {
    data: [{ name: 'order', language: 'en', status: 'APPROVED', components: [{ type: 'HEADER' }, body] }],
    paging: { cursors: { after: 'x' }, next: 'https://elsewhere.example.com' },
  });
  tells(pathOf('77', '&after=x'), {
    data: [{ name: 'photo', language: 'de', status: 'REJECTED', components: [{ type: 'HEADER' }] }],
    paging: { cursors: { after: 'y' } },
  });
  const answered = await list(await keyOf('conversations:write'));
  expect(answered).toMatchObject({ status: 200 });
  expect(answered.body.items).toEqual([
    { name: 'order', language: 'en', status: 'APPROVED', text: body.text, parameters: 2 },
    { name: 'photo', language: 'de', status: 'REJECTED', text: null, parameters: 0 },
  ]);
  expect(channel.requests.every(({ token }) => token === 'token-1')).toBe(true);
  expect((await list(await keyOf('conversations:read'))).status).toBe(403);
  expect((await list(tenant.api, { id: agent.instance.id })).status).toBe(404);
  // From the first webhook on, the account is known.
  await write(service, agent, '4915112345678', 'Hello');
  tells(pathOf('1'), { data: [] });
  expect((await list()).body).toEqual({ items: [] });
});

it('are 502 when the channel does not tell', async () => {
  await write(service, agent, '4915112345678', 'Hello');
  tells(pathOf('1'), { error: { code: 190, message: 'expired' } }, 401);
  expect(await list()).toMatchObject({
    status: 502,
    body: { detail: 'The channel refused the access token' },
  });
  tells(pathOf('1'), { error: { code: 2, message: 'Service unavailable' } }, 503);
  expect(await list()).toMatchObject({ status: 502, body: { detail: 'The channel answered 503' } });
  channel.answers.set(pathOf('1'), (response) => response.destroy());
  expect((await list()).status).toBe(502);
  const unconnected = await createEndpoint(service, tenant, await insertInstance(service, tenant.tenant_id));
  expect((await list(tenant.api, unconnected)).status).toBe(502);
});
