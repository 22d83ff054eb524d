import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  Clearable,
  CustomerParams,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { CustomerName } from './customer-names.contract.ts';

const tag = 'Subscriptions';

const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'paused', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const SubscriptionStatus = named('SubscriptionStatus', Literals(SUBSCRIPTION_STATUSES));

export const Subscription = NamedObject('Subscription', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  customer_name: CustomerName,
  status: SubscriptionStatus,
  plan: Nullable(Type.String()),
  current_period_end: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const SubscriptionCreate = NamedObject('SubscriptionCreate', {
  status: SubscriptionStatus,
  plan: Clearable(Text(200)),
  current_period_end: Clearable(Timestamp),
});

export const SubscriptionUpdate = NamedObject('SubscriptionUpdate', {
  ...SubscriptionCreate.properties,
  status: Type.Optional(SubscriptionStatus),
});

export const listSubscriptions = operation({
  id: 'list_subscriptions',
  method: 'GET',
  path: '/v1/customers/{customer_id}/subscriptions',
  tag,
  summary: 'List a customer’s subscriptions',
  description: 'Newest first. Ended ones stay listed.',
  credential: 'admin',
  scope: 'customers:read',
  params: CustomerParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Subscription) },
});

export const createSubscription = operation({
  id: 'create_subscription',
  method: 'POST',
  path: '/v1/customers/{customer_id}/subscriptions',
  tag,
  summary: 'Add a subscription',
  description: 'The service keeps what you say of it, and charges nobody.',
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: SubscriptionCreate,
  responses: { 201: Subscription },
});

export const updateSubscription = operation({
  id: 'update_subscription',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/subscriptions/{subscription_id}',
  tag,
  summary: 'Change a subscription',
  description: 'Only supplied fields change.',
  credential: 'admin',
  scope: 'customers:write',
  params: params({ customer_id: Uuid, subscription_id: Uuid }),
  body: SubscriptionUpdate,
  responses: { 200: Subscription },
});
