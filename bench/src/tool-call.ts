import { type Call, jsonCall } from './call.ts';
import { apiKey } from './data.ts';

const REVISION = '2026-07-28';

/** That revision requires them in each message. */
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const toolCall = (tenant: number, name: string, args: object): Call =>
  jsonCall(
    'POST',
    '/v1/mcp',
    {
      'x-api-key': apiKey(tenant),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } },
  );
