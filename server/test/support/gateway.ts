import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import type { TestService, TestTenant } from './service.ts';

export async function connectToGateway(
  service: TestService,
  tenant: TestTenant,
  instance_id: string,
  { headers = {}, search = '', revision = '2026-07-28' }: GatewayOptions = {},
): Promise<McpClient> {
  const key = await proxyKeyOf(service, tenant, instance_id);
  const url = new URL(`/internal/v1/instances/${instance_id}/mcp${search}`, service.base_url);
  const client = new McpClient(
    { name: 'a-runtime', version: '1' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  );
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

interface GatewayOptions {
  headers?: Record<string, string>;
  search?: string;
  revision?: string;
}

export async function callTool(client: McpClient, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text?: string }[];
  return { isError: result.isError ?? false, text: first?.text ?? '' };
}

export const proxyKeyOf = ({ service }: TestService, { tenant_id }: TestTenant, instance_id: string) =>
  addProxyKey(service.services, service.services.db.tenant(tenant_id), instance_id);
