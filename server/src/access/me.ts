import type { TenantQueryable } from '../platform/db/queryable.ts';
import { forbidden, missing, unauthenticated } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import { findAccounts } from './accounts.db.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { revokeAllSessionsOf, useFreePassword } from './sessions.db.ts';
import type { SessionServices } from './sessions.ts';
import { findMember, lockAccount, replacePassword } from './users.db.ts';

/**
 * Ends the account's other sessions. 403 for a wrong current password; without one 422, unless the session began by a
 * one-time link.
 */
export async function changeMyPassword(
  { db, hasher, loginThrottle }: SessionServices,
  q: TenantQueryable,
  { user_id, session_id }: { user_id: string; session_id: string },
  { current_password, new_password }: { current_password?: string; new_password: string },
  from: string,
): Promise<void> {
  const { tenant_id } = q;
  refuseCommon(new_password, 'body', 'new_password');
  const member = await q.run(findMember(user_id));
  if (!member) throw unauthenticated();
  refuseAddressIn(new_password, member.email, 'body', 'new_password');
  const network = networkOf(from);
  const email = member.email.toLowerCase();
  const [account] = await db.system.run(findAccounts(email, { tenant_id, network, limit: 1 }));
  if (!account) throw unauthenticated();
  const { password_hash, is_known: isKnown } = account;
  if (current_password !== undefined) {
    const isRight = await loginThrottle.attempt({ email, network, isKnown }, async () =>
      (await hasher.verify(password_hash, current_password, { tenant_id })) ? true : undefined,
    );
    if (!isRight) throw wrongPassword();
  }
  const change = { from: password_hash, to: await hasher.hash(new_password, { tenant_id }) };
  await db.system.transaction(async (tx) => {
    await tx.run(lockAccount(user_id));
    if (current_password === undefined && !(await tx.run(useFreePassword(session_id))))
      throw missing('body', 'current_password');
    const { isReplaced } = await tx.run({
      isReplaced: replacePassword(user_id, change),
    });
    if (!isReplaced) throw wrongPassword();
    await tx.run(revokeAllSessionsOf(user_id, session_id));
  });
}

const wrongPassword = () => forbidden('The current password is wrong');
