import type { Role } from '../platform/actor.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import { systemScope, type TenantDb, type Tx, tenantScope } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import type { Hasher } from './hasher.port.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { revokeAllSessionsOf, revokeSessionsOf } from './sessions.db.ts';
import {
  deleteMembership,
  findMember,
  insertAccount,
  isOwnAccount,
  lockAccount,
  lockAdmins,
  type MemberRow,
  updateAccount,
  updateMembership,
} from './users.db.ts';

/** Creates an account even where other tenants have accounts with the same address. */
export async function addUser(
  q: TenantDb,
  hasher: Hasher,
  { email, password, role }: { email: string; password: string; role: Role },
): Promise<MemberRow> {
  const { tenant_id } = q;
  refuseCommon(password, 'body', 'password');
  refuseAddressIn(password, email, 'body', 'password');
  const password_hash = await hasher.hash(password, { tenant_id });
  const account = { tenant_id, email, role, password_hash, password_is_owners: false };
  return conflictIfTaken(
    q.transaction(async (tx) => {
      tx.enter(systemScope);
      return tx.run(insertAccount(account));
    }),
  );
}

interface UserChange {
  email?: string | undefined;
  password?: string | undefined;
  role?: Role | undefined;
}

/**
 * The role belongs to the tenant; address and password belong to the account, so only the tenant that solely owns the
 * account may change them. A new password ends the account's logins.
 */
export async function changeUser(
  q: TenantDb,
  hasher: Hasher,
  user_id: string,
  change: UserChange,
): Promise<MemberRow> {
  const { tenant_id } = q;
  const password_hash = await hashNewPassword(q, hasher, user_id, change);
  const work = q.transaction(async (tx) => {
    const member = await getMember(tx, user_id);
    const email = change.email === member.email ? undefined : change.email;
    const isAccount = email !== undefined || password_hash !== undefined;
    if (!isAccount && change.role === undefined) return member;
    if (isAccount) await lockMemberAccount(tx, tenant_id, user_id);
    if (change.role === 'member') await keepAnAdmin(tx, user_id);
    await tx.run(updateMembership(user_id, change.role));
    if (isAccount) {
      tx.enter(systemScope);
      await refuseUnlessOwn(tx, tenant_id, user_id);
      await tx.run(
        updateAccount(user_id, { email, password_hash, ...(password_hash && { password_is_owners: false }) }),
      );
      if (password_hash !== undefined) await tx.run(revokeAllSessionsOf(user_id));
      tx.enter(tenantScope(tenant_id));
    }
    return getMember(tx, user_id);
  });
  return conflictIfTaken(work);
}

/** undefined without a new password. */
async function hashNewPassword(
  q: TenantDb,
  hasher: Hasher,
  user_id: string,
  { email, password }: UserChange,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  refuseCommon(password, 'body', 'password');
  const member = found('User', await q.run(findMember(user_id)));
  refuseAddressIn(password, email ?? member.email, 'body', 'password');
  return hasher.hash(password, { tenant_id: q.tenant_id });
}

const getMember = async (tx: Tx, user_id: string): Promise<MemberRow> =>
  found('User', await tx.run(findMember(user_id)));

/**
 * Locks the account against concurrent logins: they either committed before and are ended, or see the change.
 * Memberships are always locked after the account; another order could deadlock with adding one.
 */
async function lockMemberAccount(tx: Tx, tenant_id: string, user_id: string): Promise<void> {
  tx.enter(systemScope);
  await tx.run(lockAccount(user_id));
  tx.enter(tenantScope(tenant_id));
}

/** 409 unless the account solely belongs to the tenant (in the system scope, after lockMemberAccount). */
export async function refuseUnlessOwn(tx: Tx, tenant_id: string, user_id: string): Promise<void> {
  if (await tx.run(isOwnAccount(tenant_id, user_id))) return;
  throw conflict(
    'The account was created elsewhere or belongs to another tenant, too: only its owner changes its address and password',
  );
}

/** 409 when another user of the tenant has the address. */
export function conflictIfTaken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw conflict('This address is a user of the tenant already');
    throw error;
  });
}

/** The account itself stays. */
export async function removeUser(q: TenantDb, user_id: string): Promise<void> {
  await q.transaction(async (tx) => {
    await getMember(tx, user_id);
    await lockMemberAccount(tx, q.tenant_id, user_id);
    await keepAnAdmin(tx, user_id);
    found('User', await tx.run(deleteMembership(user_id)));
    await tx.run(revokeSessionsOf(user_id));
  });
}

async function keepAnAdmin(tx: Tx, leaving: string): Promise<void> {
  const admins = await tx.run(lockAdmins());
  if (admins.length === 1 && admins[0]?.user_id === leaving) {
    throw conflict('A tenant keeps at least one admin');
  }
}
