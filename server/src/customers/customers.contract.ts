import Type from 'typebox';
import { Email } from '../access/users.contract.ts';
import { HostingMode } from '../catalogue/hosting.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Literals,
  Name,
  Nullable,
  PageQuery,
  query,
  Search,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { Subscription, SubscriptionStatus } from './subscriptions.contract.ts';

const tag = 'Customers';

const CUSTOMER_SORTS = ['created_at', 'email', 'company_name', 'updated_at'] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

export const Customer = NamedObject('Customer', {
  id: Uuid,
  email: Nullable(Type.String()),
  company_name: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  timezone: Type.String(),
  created_at: Timestamp,
  instance_count: Type.Integer({ description: 'Instances that serve the customer and are not terminated' }),
  running_instance_count: Type.Integer(),
  subscription_count: Type.Integer(),
  active_subscription_count: Type.Integer({
    description: 'Subscriptions whose status is active; a trial is not',
  }),
  latest_subscription_status: Nullable(SubscriptionStatus),
});

const CustomerInstance = NamedObject('CustomerInstance', {
  id: Uuid,
  status: Type.String(),
  hosting_mode: HostingMode,
  hostname: Type.String(),
  template_name: Type.String(),
  region_id: Type.String(),
  created_at: Timestamp,
});

export const CustomerDetail = NamedObject('CustomerDetail', {
  ...Customer.properties,
  locale: Nullable(Type.String()),
  payments_customer_id: Nullable(Type.String()),
  updated_at: Timestamp,
  instances: Type.Array(CustomerInstance),
  subscriptions: Type.Array(Subscription),
});

export const CreatedCustomer = NamedObject('CreatedCustomer', {
  id: Uuid,
  email: Nullable(Type.String()),
  company_name: Nullable(Type.String()),
  created_at: Timestamp,
});

export const CustomerCreate = NamedObject('CustomerCreate', {
  email: about(Email, 'Unique within the tenant, without case'),
  company_name: about(Clearable(Text(200)), 'What the customer is called'),
  country_code: about(Clearable(Type.String({ format: 'country-code' })), 'ISO 3166-1 alpha-2, as AU'),
  currency: about(Clearable(Type.String({ format: 'currency-code' })), 'ISO 4217, as AUD'),
  timezone: about(
    Clearable(Type.String({ format: 'time-zone' })),
    'IANA, as Australia/Sydney: whose days count; UTC where none is given',
  ),
  locale: about(Clearable(Type.String({ format: 'locale' })), 'BCP 47, as en-AU'),
});

export const CustomerUpdate = NamedObject('CustomerUpdate', {
  ...CustomerCreate.properties,
  email: Type.Optional(CustomerCreate.properties.email),
});

export const CustomerClone = NamedObject('CustomerCloneRequest', {
  company_name: about(Name, 'What the new customer is called'),
  source_customer_id: about(Uuid, 'Whose rules are copied'),
  email: about(Clearable(Email), 'The new customer’s own; none where nothing is said'),
});

export const listCustomers = operation({
  id: 'list_customers',
  method: 'GET',
  path: '/v1/customers',
  tag,
  summary: 'List customers',
  description:
    'Finds by a part of the e-mail address (`search`), or of it or the company’s name (`q`). Names sort without case; what has none comes last.',
  credential: 'admin',
  scope: 'customers:read',
  mcp: {
    says: 'List customers as summaries; get_customer has the whole.',
    shows: ['id', 'email', 'company_name', 'country_code', 'currency', 'timezone', 'created_at'],
    searchesBy: 'q',
  },
  query: query({
    ...PageQuery,
    search: Search('e-mail address'),
    q: Search('e-mail address or company name'),
    sort_by: about(Literals(CUSTOMER_SORTS, { default: 'created_at' }), 'What the rows are ordered by'),
    sort_dir: about(Literals(['asc', 'desc'], { default: 'desc' }), 'Upwards or downwards'),
  }),
  responses: {
    200: NamedObject('CustomerPage', {
      customers: Type.Array(Customer),
      page: Type.Integer(),
      per_page: Type.Integer(),
      total: Type.Integer(),
      total_pages: Type.Integer(),
    }),
  },
});

export const createCustomer = operation({
  id: 'create_customer',
  method: 'POST',
  path: '/v1/customers',
  tag,
  summary: 'Add a customer',
  description: 'The e-mail address is unique within the tenant, without case.',
  credential: 'admin',
  scope: 'customers:write',
  mcp: {},
  body: CustomerCreate,
  responses: { 201: CreatedCustomer },
  failures: [409],
});

export const getCustomer = operation({
  id: 'get_customer',
  method: 'GET',
  path: '/v1/customers/{customer_id}',
  tag,
  summary: 'A customer with its instances and subscriptions',
  description: 'Terminated instances are left out of its counts.',
  credential: 'admin',
  scope: 'customers:read',
  mcp: {},
  params: CustomerParams,
  responses: { 200: CustomerDetail },
});

export const updateCustomer = operation({
  id: 'update_customer',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}',
  tag,
  summary: 'Change a customer',
  description:
    'Only supplied fields change; null clears an optional one. 409 where the e-mail address is taken.',
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: CustomerUpdate,
  responses: { 200: CustomerDetail },
  failures: [409],
});

export const deleteCustomer = operation({
  id: 'delete_customer',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}',
  tag,
  summary: 'Erase a customer',
  description:
    'Everything stored of the customer and its people goes with it, at once and for good. Terminated instances stay listed, without customer and configuration. 409 while an instance serves the customer.',
  credential: 'admin',
  scope: 'customers:delete',
  params: CustomerParams,
  responses: { 204: null },
  failures: [409],
});

export const cloneCustomer = operation({
  id: 'clone_customer',
  method: 'POST',
  path: '/v1/customers/{customer_id}/clone',
  tag,
  summary: 'Add a customer like another',
  description:
    'The new customer has the country, currency, time zone and locale of the path’s customer, and the rules of source_customer_id.',
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: CustomerClone,
  responses: { 201: CreatedCustomer },
  failures: [409],
});
