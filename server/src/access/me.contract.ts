import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, PageOf, PageQuery, params, query, Timestamp, Uuid } from '../platform/contract/shapes.ts';
import { ExistingPassword, Password } from './users.contract.ts';

const tag = 'Users';

const Session = NamedObject('Session', {
  id: Uuid,
  tenant_id: Uuid,
  tenant_name: Type.String(),
  is_current: about(Type.Boolean(), 'True for the session that asks'),
  created_at: Timestamp,
  last_used_at: about(Timestamp, 'When its tokens were last renewed'),
  expires_at: Timestamp,
});

export const changeMyPassword = operation({
  id: 'change_my_password',
  method: 'PATCH',
  path: '/v1/me',
  tag,
  summary: 'Change one’s own password',
  description:
    'Ends all other logins of the account. A wrong current_password is 403 and counts as a failed login.',
  credential: 'user',
  scope: null,
  body: NamedObject('PasswordChange', {
    current_password: Type.Optional(
      about(
        ExistingPassword,
        'The password that applies now; may be left out once within an hour of a sign-in by a one-time link',
      ),
    ),
    new_password: Password,
  }),
  responses: { 204: null },
});

export const listMySessions = operation({
  id: 'list_my_sessions',
  method: 'GET',
  path: '/v1/me/sessions',
  tag,
  summary: 'List one’s own sessions, in all tenants',
  description: 'Each login that has not ended, newest first. `is_current` marks the one that asks.',
  credential: 'user',
  scope: null,
  query: query(PageQuery),
  responses: { 200: PageOf(Session) },
});

export const endMySession = operation({
  id: 'end_my_session',
  method: 'DELETE',
  path: '/v1/me/sessions/{session_id}',
  tag,
  summary: 'End one of one’s own sessions',
  description: 'Its tokens end at once. Ending the current one signs out.',
  credential: 'user',
  scope: null,
  params: params({ session_id: Uuid }),
  responses: { 204: null },
});
