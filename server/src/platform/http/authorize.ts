import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import { holdsScope } from '../contract/scopes.ts';
import { forbidden, type ServiceError } from '../errors.ts';

/** undefined: allowed. Otherwise a 403 that names the missing role or scope (contract, section 3). */
export function refusal(operation: Operation, actor: Actor): ServiceError | undefined {
  const { credential, scope, mintsCredential } = operation;
  if (actor.kind === 'api_key') {
    if (credential === 'user' || credential === 'admin_user')
      return forbidden('This route is for a signed-in user, not for an API key');
    if (scope !== null && !holdsScope(actor.scopes, scope))
      return forbidden(`The API key lacks the scope ${scope}`);
    // People have no scopes, so a key with limited scopes would create a credential with more rights than its own.
    if (mintsCredential && !holdsScope(actor.scopes, '*'))
      return forbidden('The API key lacks the scope *: this route takes it, or a user’s access token');
  }
  const needsAdmin = credential === 'admin' || credential === 'admin_user';
  if (needsAdmin && 'role' in actor && actor.role !== 'admin') {
    return forbidden(
      `The role admin is required${actor.kind === 'api_key' ? '; this key has the role member' : ''}`,
    );
  }
  return undefined;
}
