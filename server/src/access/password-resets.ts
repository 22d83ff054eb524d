import { type SystemDb, systemScope, type TenantDb, tenantScope } from '../platform/db/queryable.ts';
import { conflict, found, notFound } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintResetToken } from '../secrets/secret-formats.ts';
import type { Hasher } from './hasher.port.ts';
import {
  findPasswordReset,
  insertPasswordReset,
  type NewPasswordReset,
  type PasswordResetRow,
  usePasswordReset,
} from './password-resets.db.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { revokeAllSessionsOf } from './sessions.db.ts';
import { findMember, listMemberships, lockAccount, updateAccount } from './users.db.ts';
import { refuseUnlessOwn } from './users.ts';

const VALID_MS = 24 * 60 * 60 * 1000;

interface ShownReset {
  reset_token: string;
  expires_at: Date;
}

function newReset(
  of: Pick<NewPasswordReset, 'tenant_id' | 'user_id' | 'by_operator'>,
  now: Date,
): { row: NewPasswordReset; shown: ShownReset } {
  const { token, token_hash } = mintResetToken();
  const expires_at = new Date(now.getTime() + VALID_MS);
  return { row: { ...of, token_hash, expires_at }, shown: { reset_token: token, expires_at } };
}

/** For an admin. 409 unless the account solely belongs to the tenant. */
export async function createReset(q: TenantDb, user_id: string): Promise<ShownReset> {
  const { tenant_id } = q;
  const { row, shown } = newReset({ tenant_id, user_id, by_operator: false }, q.now);
  return q.transaction(async (tx) => {
    found('User', await tx.run(findMember(user_id)));
    tx.enter(systemScope);
    await tx.run(lockAccount(user_id));
    await refuseUnlessOwn(tx, tenant_id, user_id);
    tx.enter(tenantScope(tenant_id));
    found('User', await tx.run(insertPasswordReset(row)));
    return shown;
  });
}

/** For the operator: any member of the tenant. */
export async function createResetAsOperator(
  { db }: { db: { system: SystemDb } },
  of: { tenant_id: string; user_id: string },
): Promise<ShownReset> {
  const { row, shown } = newReset({ ...of, by_operator: true }, db.system.now);
  found('User', await db.system.run(insertPasswordReset(row)));
  return shown;
}

/** Ends all sessions of the account. */
export async function resetPassword(
  { db, hasher }: { db: { system: SystemDb }; hasher: Hasher },
  { reset_token, password }: { reset_token: string; password: string },
  from: string,
): Promise<{ email: string; tenant_id: string }> {
  refuseCommon(password, 'body', 'password');
  const token_hash = sha256(reset_token);
  const reset = await db.system.run(findPasswordReset(token_hash));
  const { user_id, tenant_id, email, by_operator } = requireOpen(reset, db.system.now);
  refuseAddressIn(password, email, 'body', 'password');
  const password_hash = await hasher.hash(password, { address: networkOf(from) });
  await db.system.transaction(async (tx) => {
    await tx.run(lockAccount(user_id));
    if (!by_operator && (await tx.run(listMemberships(user_id))).length > 1)
      throw conflict('The account belongs to another tenant by now');
    if (!(await tx.run(usePasswordReset(token_hash)))) throw alreadyUsed();
    await tx.run(
      updateAccount(user_id, { password_hash, password_is_owners: true }),
      revokeAllSessionsOf(user_id),
    );
  });
  return { email, tenant_id };
}

const alreadyUsed = () => conflict('The reset token was used already');

function requireOpen(reset: PasswordResetRow | undefined, now: Date): PasswordResetRow {
  if (!reset || (!reset.is_used && reset.expires_at <= now)) throw notFound('Reset token');
  if (reset.is_used) throw alreadyUsed();
  return reset;
}
