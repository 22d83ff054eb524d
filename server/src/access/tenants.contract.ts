import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Search,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { InvitationToken } from './invitations.contract.ts';
import { Email, Password } from './users.contract.ts';

const TenantName = Text(200, 1);

const tenantFields = {
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
};
export const Tenant = NamedObject('Tenant', {
  ...tenantFields,
  instances: about(Type.Integer(), 'Its instances that are not terminated'),
  customers: about(Type.Integer(), 'Its customers'),
  users: about(Type.Integer(), 'Its users'),
  month_cost: about(
    Type.String(),
    'What it has spent this month (UTC) at the operator’s model providers: US dollars, decimal text',
  ),
});

const Count = Nullable(Int({ minimum: 0 }));
const AtLeastOne = Nullable(Int({ minimum: 1 }));

/** limits.sql has the defaults. */
const LIMITS = {
  instances: about(Count, 'Instances that are not terminated'),
  recipes: about(Count, 'Recipes'),
  customers: about(Count, 'Customers'),
  staff: about(Count, 'Staff of all customers together'),
  keys: about(Count, 'API keys that were neither revoked nor rotated'),
  users: about(Count, 'Users'),
  channel_endpoints: about(Count, 'Channel endpoints'),
  monthly_cost: about(
    Nullable(Type.Number({ minimum: 0 })),
    'USD per month at the operator’s model providers; calls beyond it are refused',
  ),
  starting: about(AtLeastOne, 'Instances that are provisioned at once; others wait in pending'),
  drive_reads_at_once: about(AtLeastOne, 'Files of drives read at once; others wait 5 seconds, then get 429'),
  streams: about(Count, 'Event streams at once'),
  revisions_kept: about(AtLeastOne, 'Revisions kept of a recipe, besides those that an instance runs'),
  conversations_stored: about(Count, 'Conversations kept; the longest silent ones go'),
  sender_messages: about(
    Count,
    'Messages of one sender that an agent gets in 10 minutes; further ones are stored as handled',
  ),
  stored_mib: about(
    Count,
    'MiB of messages and log lines together, counted every 15 seconds; beyond it people get 403 and runtimes 429, and ' +
      'incoming messages are dead',
  ),
  event_endpoints: about(Count, 'Event endpoints'),
  rules_templates: about(Count, 'Templates of rules'),
  onboarding_flows: about(Count, 'Onboarding flows'),
};
export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

const TenantLimits = NamedObject('TenantLimits', LIMITS);

/** Strict, because a misspelt limit would silently be ignored. */
const TenantLimitsUpdate = named(
  'TenantLimitsUpdate',
  Type.Partial(Type.Object(LIMITS), { additionalProperties: false }),
);

export const TenantDetail = NamedObject('TenantDetail', { ...tenantFields, limits: TenantLimits });

export const TenantUpdate = NamedObject('TenantUpdate', {
  name: Type.Optional(TenantName),
  is_active: Type.Optional(Type.Boolean()),
  limits: Type.Optional(TenantLimitsUpdate),
});

const TenantParams = params({ tenant_id: about(Uuid, 'The tenant’s id') });

export const createTenant = operation({
  id: 'create_tenant',
  method: 'POST',
  path: '/internal/v1/tenants',
  tag: 'Tenants',
  summary: 'Make a tenant with its first admin',
  description:
    'Without admin_password the answer is an invitation, with which the admin chooses one. With expect_none, only when there ' +
    'is no tenant yet (412 otherwise).',
  credential: 'operations',
  scope: null,
  body: NamedObject('TenantCreate', {
    name: TenantName,
    admin_email: Email,
    admin_password: Clearable(Password),
    expect_none: Clearable(Type.Boolean()),
  }),
  responses: {
    201: NamedObject('CreatedTenant', {
      tenant_id: Uuid,
      admin_user_id: about(Nullable(Uuid), 'null until the invitation is accepted'),
      invitation_token: Type.Optional(InvitationToken),
      expires_at: Type.Optional(Timestamp),
    }),
  },
  failures: [412, 503],
});

export const listTenants = operation({
  id: 'list_tenants',
  method: 'GET',
  path: '/internal/v1/tenants',
  tag: 'Tenants',
  summary: 'List tenants',
  description: 'All tenants of this service, newest first, with what each has and spends.',
  credential: 'operations',
  scope: null,
  query: query({ ...PageQuery, search: Search('name') }),
  responses: { 200: PageOf(Tenant) },
});

export const getTenant = operation({
  id: 'get_tenant',
  method: 'GET',
  path: '/internal/v1/tenants/{tenant_id}',
  tag: 'Tenants',
  summary: 'Get a tenant with its limits',
  description:
    'Each limit has its effective value: the default unless another one was set, and null for none.',
  credential: 'operations',
  scope: null,
  params: TenantParams,
  responses: { 200: TenantDetail },
});

export const updateTenant = operation({
  id: 'update_tenant',
  method: 'PATCH',
  path: '/internal/v1/tenants/{tenant_id}',
  tag: 'Tenants',
  summary: 'Rename a tenant, switch it off or on, or change its limits',
  description:
    'Only the named limits change; null resets one to its default. A tenant above a lowered limit keeps what it has. While ' +
    'is_active is false, the tenant’s credentials and logins are refused with 401, its runtimes are stopped and its ' +
    'messages wait.',
  credential: 'operations',
  scope: null,
  params: TenantParams,
  body: TenantUpdate,
  responses: { 200: TenantDetail },
});
