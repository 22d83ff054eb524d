import type { FieldDocs } from '../platform/contract/wording.ts';

export const mcpDocs: FieldDocs = {
  bodies: {
    'call_mcp request': {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'get_customer',
        arguments: {
          customer_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05',
        },
      },
    },
    'call_mcp application/json': {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          {
            type: 'text',
            text: '{"company_name":"Harbour Logistics"}',
          },
        ],
        structuredContent: {
          company_name: 'Harbour Logistics',
        },
      },
    },
  },
};
