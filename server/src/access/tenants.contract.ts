import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Nullable,
  PageOf,
  PageQuery,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { InvitationToken } from './invitations.contract.ts';
import { Email, Password } from './users.contract.ts';

export const Tenant = NamedObject('Tenant', {
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
});

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
    name: Text(200, 1),
    admin_email: Email,
    admin_password: Type.Optional(Password),
    expect_none: Type.Optional(Type.Boolean()),
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
  credential: 'operations',
  scope: null,
  query: query(PageQuery),
  responses: { 200: PageOf(Tenant) },
});
