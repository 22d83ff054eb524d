import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
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
import { TokenPair } from './auth.contract.ts';
import { Email, Password, Role } from './users.contract.ts';

export const InvitationToken = secret(Type.String({ description: 'Shown once; 7 days; accepted once' }));

const OpenInvitation = NamedObject('OpenInvitation', {
  id: Uuid,
  email: Type.String(),
  role: Role,
  created_by: about(
    Nullable(
      Type.Object({
        kind: Literals(['user', 'api_key', 'operations'] as const),
        id: Nullable(Uuid),
        name: about(
          Nullable(Type.String()),
          'The user’s e-mail address, the key’s name; null once it is gone, and for the operator',
        ),
      }),
    ),
    'The user, key or operator that invited; null in invitations from before there was this field',
  ),
  created_at: Timestamp,
  expires_at: about(Timestamp, 'From then on nobody can accept it'),
});

export const listInvitations = operation({
  id: 'list_invitations',
  method: 'GET',
  path: '/v1/users/invitations',
  tag: 'Users',
  summary: 'List the invitations that nobody has accepted yet',
  description: 'Newest first, also those that are too old by now. Their tokens were shown once.',
  credential: 'admin',
  scope: 'users:read',
  query: query(PageQuery),
  responses: { 200: PageOf(OpenInvitation) },
});

export const deleteInvitation = operation({
  id: 'delete_invitation',
  method: 'DELETE',
  path: '/v1/users/invitations/{invitation_id}',
  tag: 'Users',
  summary: 'Take an invitation back',
  description: 'Nobody can accept it any more. 404 once it was accepted.',
  credential: 'admin',
  scope: 'users:delete',
  params: params({ invitation_id: about(Uuid, 'The `id` of list_invitations') }),
  responses: { 204: null },
});

export const createInvitation = operation({
  id: 'create_invitation',
  method: 'POST',
  path: '/v1/users/invitations',
  tag: 'Users',
  summary: 'Invite a user',
  description: 'Hand the token to the person: whoever has it can accept the invitation.',
  credential: 'admin',
  scope: 'users:write',
  mintsCredential: true,
  body: NamedObject('InvitationCreate', { email: Email, role: Role }),
  responses: {
    201: NamedObject('Invitation', { invitation_token: InvitationToken, expires_at: Timestamp }),
  },
});

export const acceptInvitation = operation({
  id: 'accept_invitation',
  method: 'POST',
  path: '/auth/invitations/accept',
  tag: 'Authentication',
  summary: 'Accept an invitation',
  description:
    'With a password, creates an account of the tenant. With a user’s access token and no password, adds a membership to that ' +
    'account: it has to have the invited address (403), and its owner has to have set its password (409).',
  credential: 'optional_user',
  scope: null,
  body: NamedObject('InvitationAcceptance', {
    invitation_token: secret(Text(1024)),
    password: Clearable(Password),
  }),
  responses: { 200: TokenPair },
  failures: [403, 404, 409],
});
