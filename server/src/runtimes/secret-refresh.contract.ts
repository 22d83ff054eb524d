import Type from 'typebox';
import { Generation, VpnIp } from '../certificates/enrollment.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { InstanceParams, Nullable, secret, Text } from '../platform/contract/shapes.ts';

const AgentSecrets = NamedObject('AgentSecrets', {
  proxy_key: Nullable(secret(Type.String())),
  connections: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'By customer: [{provider, name, credentials}]',
  }),
});

export const refreshSecrets = operation({
  id: 'refresh_secrets',
  isUnlimited: true,
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/secrets/refresh',
  tag: 'Instance identity',
  summary: 'Read the secrets that an instance may use now',
  description: 'Over mutual TLS, with the instance’s certificate.',
  credential: 'instance',
  scope: null,
  sender: 'none',
  params: InstanceParams,
  body: NamedObject('SecretRefreshRequest', {
    vpn_ip: VpnIp,
    wg_public_key: Text(1000),
    generation: Generation,
  }),
  responses: { 200: NamedObject('SecretRefreshResult', { agent_secrets: AgentSecrets }) },
  failures: [409],
});
