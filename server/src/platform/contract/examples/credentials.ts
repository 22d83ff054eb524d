import { customer_id } from './ids.ts';

const pem = (kind: string, text: string) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----\n`;
const certificate = pem('CERTIFICATE', 'MIIB…');
const request = [
  'MIHKMHICAQAwEDEOMAwGA1UEAwwFYWdlbnQwWTATBgcqhkjOPQIBBggqhkjOPQMB',
  'BwNCAAQ47zpxM9czjDpqrRx7r8Ihgl62Ok8r1zilfzWckk8icjXf8J8xLbUq9O1r',
  'w9rjF5w1/7XNHCknVz70BfM4eMTYoAAwCgYIKoZIzj0EAwIDSAAwRQIgZ2MyUzeR',
  'Z8d7UK83bhi4Zi4flof+rLUXA56HJ/CJiKcCIQC3tZKUf2azKkV1tUXVi3/TWG0r',
  '4X4UUXse4eaj0tT61g==',
].join('\n');

/** Invented example values of fields about credentials and certificates (see values.ts). */
export const credentialExamples: Readonly<Record<string, unknown>> = {
  access_token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI1ZjBjIn0.c2lnbmF0dXJl',
  refresh_token: 'art_example-refresh-token',
  expires_in: 900,
  'API keys.name': 'Build server',
  key: 'acp_example-api-key',
  prefix: 'acp_example-',
  'API keys.role': 'member',
  scopes: ['recipes:*', 'instances:read'],
  rate_limit: { limit: 600, window_seconds: 60 },
  overlap_seconds: 600,
  'get_api_key_context.user_id': null,
  proxy_key: 'apk_example-proxy-key',
  enrollment_token: 'aet_example-enrollment-token',
  invitation_token: 'ait_example-invitation-token',
  reset_token: 'aprt_example-reset-token',
  csr_pem: pem('CERTIFICATE REQUEST', request),
  cert_pem: certificate,
  ca_pem: certificate,
  cert_serial: '5b0d1f6e8c2a4937b1d2e3f405162738',
  issuing_certificate_serial: '4a3c2b1d0e9f8a7b6c5d4e3f2a1b0c9d',
  wg_public_key: '++0qx2TUFqXaEFrvg4djLydAbxM3De5uy2wGvJqfekY=',
  vpn_ip: '10.64.0.7',
  connections: {
    [customer_id]: [{ provider: 'chatapp', name: 'main', credentials: { access_token: 'example' } }],
  },
  provider: 'chatapp',
  'Connections.name': 'main',
  'Connections.status': 'active',
  'missing_connections.name': null,
  credentials: { access_token: 'example' },
  connection_name: 'main',
  'query.connection_name': 'main',
  tenant_keys: 3,
  ca_keys: 2,
  service_keys: 4,
  remaining: 0,
};
