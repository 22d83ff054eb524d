import type { TenantQueryable } from '../platform/db/queryable.ts';
import { forbidden, unauthenticated } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import { findAccounts } from './accounts.db.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { revokeAllSessionsOf } from './sessions.db.ts';
import type { SessionServices } from './sessions.ts';
import { findMember, lockAccount, replacePassword } from './users.db.ts';

/** Ends the account's other sessions. 403 for a wrong current password. */
export async function changeMyPassword(
  { db, hasher, loginThrottle }: SessionServices,
  q: TenantQueryable,
  { user_id, session_id }: { user_id: string; session_id: string },
  { current_password, new_password }: { current_password: string; new_password: string },
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
  const isRight = await loginThrottle.attempt({ email, network, isKnown }, async () =>
    (await hasher.verify(password_hash, current_password, { tenant_id })) ? true : undefined,
  );
  if (!isRight) throw wrongPassword();
  const change = { from: password_hash, to: await hasher.hash(new_password, { tenant_id }) };
  await db.system.transaction(async (tx) => {
    const { isReplaced } = await tx.run({
      lock: lockAccount(user_id),
      isReplaced: replacePassword(user_id, change),
    });
    if (!isReplaced) throw wrongPassword();
    await tx.run(revokeAllSessionsOf(user_id, session_id));
  });
}

const wrongPassword = () => forbidden('The current password is wrong');
