import type { FieldDocs } from '../platform/contract/wording.ts';

export const connectionsDocs: FieldDocs = {
  texts: {
    connection_id: 'The connection’s id',
  },
  examples: {
    connection_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0a',
    'Connections.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0a',
    'Connections.expires_at': null,
    'Connections.name': 'main',
    'Connections.status': 'active',
    credentials: {
      access_token: 'example',
    },
    allowed_hosts: ['mcp.example.com'],
  },
  bodies: {
    'update_connection request': {
      credentials: {
        access_token: 'a new token',
      },
      expires_at: null,
    },
  },
};
