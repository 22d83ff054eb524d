import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { params, secret, Text, Timestamp, Uuid } from '../platform/contract/shapes.ts';
import { Password, UserParams } from './users.contract.ts';

const PasswordReset = NamedObject('PasswordReset', {
  reset_token: secret(Type.String({ description: 'Shown once; 24 hours; used once' })),
  expires_at: Timestamp,
});

export const createPasswordReset = operation({
  id: 'create_password_reset',
  method: 'POST',
  path: '/v1/users/{user_id}/password-reset',
  tag: 'Users',
  summary: 'Let a user choose a new password',
  description:
    'For an account that this tenant created and that has no other membership (409 otherwise). Hand the token to the person.',
  credential: 'admin',
  scope: 'users:write',
  mintsCredential: true,
  params: UserParams,
  responses: { 201: PasswordReset },
  failures: [409],
});

export const resetPassword = operation({
  id: 'reset_password',
  method: 'POST',
  path: '/auth/password-reset',
  tag: 'Authentication',
  summary: 'Choose a new password with a reset token',
  description:
    'Ends all logins of the account. The answer has what its next login needs beside the password.',
  credential: 'none',
  scope: null,
  body: NamedObject('PasswordResetRequest', { reset_token: secret(Text(1024)), password: Password }),
  responses: { 200: NamedObject('ResetAccount', { email: Type.String(), tenant_id: Uuid }) },
  failures: [404, 409],
});

export const createOperatorPasswordReset = operation({
  id: 'create_operator_password_reset',
  method: 'POST',
  path: '/internal/v1/tenants/{tenant_id}/users/{user_id}/password-reset',
  tag: 'Tenants',
  summary: 'Let a user of a tenant choose a new password',
  description:
    'For a tenant whose admins are locked out. The token is shown once, is used once and lasts 24 hours.',
  credential: 'operations',
  scope: null,
  params: params({ tenant_id: Uuid, user_id: Uuid }),
  responses: { 201: PasswordReset },
});
