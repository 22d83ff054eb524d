import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestService } from './service.ts';

const INFO = { name: 'the-tests', version: '1.2.3' };

const urlOf = ({ base_url }: TestService, search: string) => new URL(`/v1/mcp${search}`, base_url);

interface McpClientOptions {
  /** Such as `?read_only=true`. */
  search?: string;
  headers: Record<string, string>;
  /** Without it, the client declares no elicitation. */
  onElicit?: (request: { message: string }) => {
    action: 'accept' | 'decline';
    content?: { confirm: boolean };
  };
}

export async function connectModern(
  service: TestService,
  { search = '', headers, onElicit }: McpClientOptions,
): Promise<ModernClient> {
  const client = new ModernClient(INFO, {
    capabilities: onElicit ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  if (onElicit) client.setRequestHandler('elicitation/create', ({ params }) => onElicit(params));
  await client.connect(
    new StreamableHTTPClientTransport(urlOf(service, search), { requestInit: { headers } }),
  );
  return client;
}

export async function connectLegacy(
  service: TestService,
  { search = '', headers }: McpClientOptions,
): Promise<LegacyClient> {
  const client = new LegacyClient(INFO);
  const transport = new LegacyTransport(urlOf(service, search), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}
