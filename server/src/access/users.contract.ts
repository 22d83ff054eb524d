import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  secret,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Users';
export const Role = named('Role', Literals(['admin', 'member']));
export const Email = Type.String({ format: 'email', maxLength: 320 });
/** passwords.ts has more rules. Existing passwords may be shorter or longer. */
export const Password = secret(Text(200, 12));
export const ExistingPassword = secret(Text(1024));

const User = NamedObject('User', {
  id: Uuid,
  email: Type.String(),
  role: Role,
  last_signed_in_at: about(Nullable(Timestamp), 'When the user last signed in to this tenant; null: never'),
  created_at: Timestamp,
  updated_at: Timestamp,
});
const Membership = NamedObject('Membership', { tenant_id: Uuid, tenant_name: Type.String(), role: Role });
export const UserParams = params({ user_id: Uuid });

export const listUsers = operation({
  id: 'list_users',
  method: 'GET',
  path: '/v1/users',
  tag,
  summary: 'List the tenant’s users',
  description: 'Members of the calling tenant with their roles, newest first.',
  credential: 'admin',
  scope: 'users:read',
  query: query(PageQuery),
  responses: { 200: PageOf(User) },
});

export const createUser = operation({
  id: 'create_user',
  method: 'POST',
  path: '/v1/users',
  tag,
  summary: 'Add a user',
  description:
    'Creates an account of this tenant, whatever accounts the address has in other tenants. Who has one there joins with it ' +
    'by an invitation.',
  credential: 'admin',
  scope: 'users:write',
  mintsCredential: true,
  body: NamedObject('UserCreate', { email: Email, password: Password, role: Role }),
  responses: { 201: User },
  failures: [409],
});

export const updateUser = operation({
  id: 'update_user',
  method: 'PATCH',
  path: '/v1/users/{user_id}',
  tag,
  summary: 'Change a user',
  description:
    'E-mail and password can be changed (409 otherwise) of an account that this tenant created and that has no other ' +
    'membership. A new password ends the user’s logins.',
  credential: 'admin',
  scope: 'users:write',
  mintsCredential: true,
  params: UserParams,
  body: NamedObject('UserUpdate', {
    email: Type.Optional(Email),
    password: Type.Optional(Password),
    role: Type.Optional(Role),
  }),
  responses: { 200: User },
  failures: [409],
});

export const deleteUser = operation({
  id: 'delete_user',
  method: 'DELETE',
  path: '/v1/users/{user_id}',
  tag,
  summary: 'Remove a user from the tenant',
  description: 'The person loses access to this tenant at once. Memberships of other tenants stay.',
  credential: 'admin',
  scope: 'users:delete',
  params: UserParams,
  responses: { 204: null },
  failures: [409],
});

export const getMe = operation({
  id: 'get_me',
  method: 'GET',
  path: '/v1/me',
  tag,
  summary: 'The signed-in user',
  description:
    'The user of the access token, the tenant that it is for, the role there, and all memberships. `capabilities` is what ' +
    'pages have to know about the service.',
  credential: 'user',
  scope: null,
  responses: {
    200: NamedObject('Me', {
      user: Type.Object({ id: Uuid, email: Type.String() }),
      tenant: Type.Object({ id: Uuid, name: Type.String() }),
      role: Role,
      memberships: Type.Array(Membership),
      capabilities: NamedObject('Capabilities', {
        language_model: about(
          Type.Boolean(),
          'True where the service has a model of its own, which drafts recipes',
        ),
        model: about(Nullable(Type.String()), 'The name of that model'),
        version: about(Type.String(), 'The version of the service'),
        base_url: about(Type.String(), 'Where browsers and other people’s programs reach the service'),
      }),
    }),
  },
});
