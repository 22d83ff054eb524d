import type { Actor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';

/** Other callers are not shown the e-mail address of a customer without a company name (contract, section 1). */
export const readsCustomers = (actor: Actor): boolean =>
  'role' in actor &&
  actor.role === 'admin' &&
  (actor.kind === 'user' || holdsScope(actor.scopes, 'customers:read'));
