import type { FieldDocs } from '../platform/contract/wording.ts';

export const runtimesDocs: FieldDocs = {
  texts: {
    agent_secrets: 'The secrets that the runtime works with',
    proxy_key: 'The key for the service’s internal routes; null where it did not change',
  },
  examples: {
    host_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20',
    'list_operator_hosts.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20',
    seen_at: '2026-11-20T09:00:00.000Z',
    isolation: 'on',
    proxy_key: 'apk_example-proxy-key',
    connections: {
      '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05': [
        {
          provider: 'chatapp',
          name: 'main',
          credentials: {
            access_token: 'example',
          },
        },
      ],
    },
  },
};
