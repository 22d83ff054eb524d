import type { FieldDocs } from '../platform/contract/wording.ts';

export const runtimesDocs: FieldDocs = {
  texts: {
    agent_secrets: 'The secrets that the runtime works with',
    proxy_key: 'The key for the service’s internal routes; null where it did not change',
  },
  examples: {
    host_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20',
    'list_operator_hosts.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20',
    cluster_id: 'eu-1-docker',
    'list_clusters.id': 'eu-1-docker',
    'get_cluster.id': 'eu-1-docker',
    'put_cluster.id': 'eu-1-docker',
    engine: 'docker',
    max_instances: 200,
    endpoint: 'tcp://docker.example.com:2376',
    has_credentials: true,
    reachable: true,
    last_seen_at: '2026-11-20T09:00:00.000Z',
    lease_holder: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20',
    'put_cluster.credentials': {
      ca: '-----BEGIN CERTIFICATE-----\n…',
      cert: '-----BEGIN CERTIFICATE-----\n…',
      key: '-----BEGIN PRIVATE KEY-----\n…',
    },
    'put_cluster.options': {},
    'get_cluster.options': {},
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
