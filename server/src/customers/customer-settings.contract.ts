import Type from 'typebox';
import { operation } from '../platform/contract/operation.ts';
import { CustomerParams, OpenObject } from '../platform/contract/shapes.ts';
import { DOCUMENT_LIMIT_WORDS } from '../platform/json/document-limit.ts';

const tag = 'Customers';
const limited = `An object of ${DOCUMENT_LIMIT_WORDS}; a larger one from earlier may be replaced by one that is no larger.`;

/** A union makes the body required: an empty request must not replace the stored object. */
const Settings = Type.Unsafe<Record<string, unknown>>({ anyOf: [OpenObject] });

export const getCustomerRules = operation({
  id: 'get_customer_rules',
  method: 'GET',
  path: '/v1/customers/{customer_id}/rules',
  tag,
  summary: 'A customer’s rules',
  description:
    'The texts of `instructions`, a list, are told to the model beside the system prompt; its agents get the whole object.',
  credential: 'admin',
  scope: 'customers:read',
  params: CustomerParams,
  responses: { 200: OpenObject },
});

export const replaceCustomerRules = operation({
  id: 'replace_customer_rules',
  method: 'PUT',
  path: '/v1/customers/{customer_id}/rules',
  tag,
  summary: 'Replace a customer’s rules',
  description: limited,
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: Settings,
  responses: { 200: OpenObject },
});

export const getCustomerConfig = operation({
  id: 'get_customer_config',
  method: 'GET',
  path: '/v1/customers/{customer_id}/config',
  tag,
  summary: 'A customer’s own configuration',
  description: 'On a shared instance it is merged over the instance’s configuration.',
  credential: 'admin',
  scope: 'customers:read',
  params: CustomerParams,
  responses: { 200: OpenObject },
});

export const replaceCustomerConfig = operation({
  id: 'replace_customer_config',
  method: 'PUT',
  path: '/v1/customers/{customer_id}/config',
  tag,
  summary: 'Replace a customer’s own configuration',
  description: limited,
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: Settings,
  responses: { 200: OpenObject },
});
