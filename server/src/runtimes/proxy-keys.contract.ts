import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { InstanceParams, secret } from '../platform/contract/shapes.ts';

const tag = 'Instances';

export const createProxyKey = operation({
  id: 'create_proxy_key',
  method: 'POST',
  path: '/v1/instances/{instance_id}/proxy-key',
  tag,
  summary: 'Mint the instance a new proxy key; the one before stays valid for 10 minutes',
  description: 'A runtime uses it for internal routes. It is shown once.',
  credential: 'admin',
  scope: 'instance-creds:write',
  params: InstanceParams,
  responses: {
    201: NamedObject('ProxyKey', { proxy_key: secret(Type.String({ description: 'Shown once' })) }),
  },
  failures: [409],
});

export const deleteProxyKey = operation({
  id: 'delete_proxy_key',
  method: 'DELETE',
  path: '/v1/instances/{instance_id}/proxy-key',
  tag,
  summary: 'End every proxy key of the instance at once',
  description:
    'For a key that leaked. The runtime’s next refresh of its secrets is refused, so it ends with code 75 and is started again with a new key.',
  credential: 'admin',
  scope: 'instance-creds:write',
  params: InstanceParams,
  responses: { 204: null },
});
