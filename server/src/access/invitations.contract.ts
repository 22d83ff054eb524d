import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { Clearable, secret, Text, Timestamp } from '../platform/contract/shapes.ts';
import { TokenPair } from './auth.contract.ts';
import { Email, Password, Role } from './users.contract.ts';

export const InvitationToken = secret(Type.String({ description: 'Shown once; 7 days; accepted once' }));

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
