import Type from 'typebox';
import { ofSender } from '../identities/senders.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  InstanceParams,
  Nullable,
  OpenObject,
  query,
  Text,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Shared hosting';

export const getMergedConfig = operation({
  id: 'get_merged_config',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/customer-config',
  tag,
  summary: 'What an instance is to one of its customers',
  description:
    'The tenant’s defaults, the configuration that the customer was deployed with and the customer’s own, merged in this order (RFC 7396). Without secrets, values out of their range and skills that `module_config` turns off. Beside it stand the customer’s rules.',
  credential: 'instance',
  scope: null,
  load: 'configuration',
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  ...ofSender({ customer_id: 'query', mayLackToken: true }),
  responses: {
    200: NamedObject('CustomerConfig', {
      config: OpenObject,
      customer_id: Uuid,
      instance_id: Uuid,
      timezone: Type.String({ description: 'IANA: whose days and hours the customer’s are' }),
      rules: about(
        OpenObject,
        'The customer’s rules; the texts of `instructions` are what the model is told beside the system prompt',
      ),
    }),
  },
  failures: [429],
});

export const resolveDomain = operation({
  id: 'resolve_domain',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/resolve-domain',
  tag,
  summary: 'Whose website a hostname is',
  description: 'Among the customers that the instance serves; without case, port and trailing dot.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  query: query({ hostname: Text() }),
  ...ofSender({ hostname: 'query' }),
  responses: {
    200: NamedObject('DomainResolution', {
      customer_id: Uuid,
      customer_email: Nullable(Type.String()),
      display_name: Nullable(Type.String({ description: 'The company’s name, else the e-mail address' })),
    }),
  },
});
