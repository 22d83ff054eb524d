import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { configure } from '../support/conversations.ts';
import { connectToGateway } from '../support/gateway.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer, rawMcp } from '../support/tool-server.ts';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
const server = new FakeToolServer();

beforeAll(async () => {
  await server.start();
  service = await startTestService({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  server.stop();
});

const connect = async (provider: string, credentials: object) => {
  const path = `/v1/customers/${instance.customer_id}/connections`;
  const allowed_hosts = [new URL(server.url).host];
  const { status, body } = await tenant.api.post<{ id: string }>(path, {
    provider,
    credentials,
    allowed_hosts,
  });
  expect(status).toBe(201);
  return body.id;
};

beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id);
  const damaged = await connect('crm', { token: 'secret-of-the-crm' });
  await connect('shop', { token: 'secret-of-the-shop' });
  await service.database.query(`update connections set sealed_credentials = '\\x0102' where id = $1`, [
    damaged,
  ]);
});

it('leaves the configuration of a runtime, and what is healthy stays hidden', async () => {
  const said = 'Call with secret-of-the-shop';
  await configure(service, instance, { system_prompt: said }, 30);
  const path = `/internal/v1/instances/${instance.id}/customer-config?customer_id=${instance.customer_id}`;
  const { status, text } = await service.operations.get(path);
  expect(status).toBe(200);
  expect(text).toContain('Call with');
  expect(text).not.toContain('secret-of-the-shop');
});

it('leaves the lines of a runtime', async () => {
  const path = `/internal/v1/instances/${instance.id}/logs`;
  const sent = await service.operations.post(path, { lines: ['with secret-of-the-shop'] });
  expect(sent).toMatchObject({ status: 201, body: { kept: 1 } });
});

it('takes the tools of its own server away alone', async () => {
  server.instead = rawMcp({
    'tools/list': () => ({ tools: [{ name: 'find', inputSchema: { type: 'object' } }] }),
  });
  const mcp_servers = ['crm', 'shop'].map((name) => ({ name, url: `${server.url}/${name}`, provider: name }));
  await configure(service, instance, { mcp_servers }, 30);
  const { tools } = await (await connectToGateway(service, tenant, instance.id, {})).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['shop__find']);
  const { body } = await tenant.api.get<{ mcp_servers: object[] }>(`/v1/instances/${instance.id}`);
  expect(body.mcp_servers).toMatchObject([
    { name: 'crm', ok: false, error: 'The credentials of the connection crm are unreadable: set them again' },
    { name: 'shop', ok: true },
  ]);
});
