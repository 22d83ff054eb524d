import type { Role } from '../platform/actor.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import { systemScope, type TenantDb, type Tx, tenantScope } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import type { Hasher } from './hasher.port.ts';
import { revokeSessionsOf } from './sessions.db.ts';
import {
  deleteMembership,
  ensureAccount,
  findMember,
  insertMembership,
  listMemberships,
  lockAccount,
  lockAdmins,
  type MemberRow,
  updateAccount,
  updateMembership,
} from './users.db.ts';

/** Adds a member; an account that the address has already is kept with its password (contract, section 9). */
export async function addUser(
  q: TenantDb,
  hasher: Hasher,
  user: { email: string; password: string; role: Role },
): Promise<MemberRow> {
  const { tenant_id } = q;
  const password_hash = await hasher.hash(user.password, { tenant_id });
  return q.transaction(async (tx) => {
    tx.enter(systemScope);
    const user_id = await tx.run(ensureAccount(user.email, password_hash));
    tx.enter(tenantScope(tenant_id));
    const insert = insertMembership(tenant_id, user_id, user.role);
    const [isNew, member] = await tx.run(insert, findMember(user_id));
    if (!isNew) throw conflict('This address is a user of the tenant already');
    return found('User', member);
  });
}

export interface UserChange {
  email?: string | undefined;
  password?: string | undefined;
  role?: Role | undefined;
}

/**
 * Changes what is given. The role is the tenant's; address and password are the account's, so they are changed here only
 * while it belongs to no other tenant. A new password ends the logins that began with the old one.
 */
export async function changeUser(
  q: TenantDb,
  hasher: Hasher,
  user_id: string,
  change: UserChange,
): Promise<MemberRow> {
  const { tenant_id } = q;
  const password_hash =
    change.password === undefined ? undefined : await hasher.hash(change.password, { tenant_id });
  return q.transaction(async (tx) => {
    const member = await getMember(tx, user_id);
    const email = change.email === member.email ? undefined : change.email;
    const isAccount = email !== undefined || password_hash !== undefined;
    if (!isAccount && change.role === undefined) return member;
    if (isAccount) await holdAccount(tx, tenant_id, user_id);
    if (change.role === 'member') await keepAnAdmin(tx, user_id);
    await tx.run(updateMembership(user_id, change.role));
    if (isAccount) {
      tx.enter(systemScope);
      await changeAccount(tx, user_id, { email, password_hash });
      tx.enter(tenantScope(tenant_id));
      if (password_hash !== undefined) await tx.run(revokeSessionsOf(user_id));
    }
    return getMember(tx, user_id);
  });
}

const getMember = async (tx: Tx, user_id: string): Promise<MemberRow> =>
  found('User', await tx.run(findMember(user_id)));

/**
 * Holds a member's account until the transaction ends. A login that is just beginning either has begun before, and is
 * found, or finds what was changed. Whoever needs memberships, too, holds them after the account, as adding one does: two
 * that hold them in another order would wait for each other.
 */
async function holdAccount(tx: Tx, tenant_id: string, user_id: string): Promise<void> {
  tx.enter(systemScope);
  await tx.run(lockAccount(user_id));
  tx.enter(tenantScope(tenant_id));
}

async function changeAccount(
  tx: Tx,
  user_id: string,
  change: Parameters<typeof updateAccount>[1],
): Promise<void> {
  if ((await tx.run(listMemberships(user_id))).length > 1) {
    throw conflict(
      'The account belongs to another tenant, too: its address and password cannot be changed here',
    );
  }
  try {
    await tx.run(updateAccount(user_id, change));
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw conflict('This address has an account already');
  }
}

/** Ends the membership and the logins to this tenant; the account itself stays. */
export async function removeUser(q: TenantDb, user_id: string): Promise<void> {
  await q.transaction(async (tx) => {
    await getMember(tx, user_id);
    await holdAccount(tx, q.tenant_id, user_id);
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
