import type { Role } from '../platform/actor.ts';
import { type Database } from '../platform/db/database.ts';
import { type Queryable, systemScope, type Tx, tenantScope } from '../platform/db/queryable.ts';
import { isUniqueViolation } from '../platform/db/refusals.ts';
import { conflict, notFound } from '../platform/errors.ts';
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

export { findMember, listMembers, listMemberships } from './users.db.ts';

/** Adds a member; an account that the address has already is kept with its password (contract, section 9). */
export async function addUser(
  db: Database,
  hasher: Hasher,
  tenant_id: string,
  user: { email: string; password: string; role: Role },
): Promise<MemberRow> {
  const password_hash = await hasher.hash(user.password, { tenant_id });
  return db.transaction(systemScope, async (tx) => {
    const user_id = await ensureAccount(tx, user.email, password_hash);
    tx.enter(tenantScope(tenant_id));
    if (!(await insertMembership(tx, tenant_id, user_id, user.role))) {
      throw conflict('This address is a user of the tenant already');
    }
    return (await findMember(tx, user_id)) as MemberRow;
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
  { db, hasher }: { db: Database; hasher: Hasher },
  tenant_id: string,
  user_id: string,
  change: UserChange,
  now: Date,
): Promise<MemberRow> {
  const password_hash =
    change.password === undefined ? undefined : await hasher.hash(change.password, { tenant_id });
  return db.transaction(tenantScope(tenant_id), async (tx) => {
    const member = await getMember(tx, user_id);
    const email = change.email === member.email ? undefined : change.email;
    const isAccount = email !== undefined || password_hash !== undefined;
    if (!isAccount && change.role === undefined) return member;
    if (isAccount) await holdAccount(tx, tenant_id, user_id);
    if (change.role === 'member') await keepAnAdmin(tx, user_id);
    await updateMembership(tx, user_id, change.role, now);
    if (isAccount) {
      tx.enter(systemScope);
      await changeAccount(tx, user_id, { email, password_hash });
      tx.enter(tenantScope(tenant_id));
      if (password_hash !== undefined) await revokeSessionsOf(tx, user_id, now);
    }
    return getMember(tx, user_id);
  });
}

async function getMember(tx: Queryable, user_id: string): Promise<MemberRow> {
  const member = await findMember(tx, user_id);
  if (!member) throw notFound('User');
  return member;
}

/**
 * Holds a member's account until the transaction ends. A login that is just beginning either has begun before, and is
 * found, or finds what was changed. Whoever needs memberships, too, holds them after the account, as adding one does: two
 * that hold them in another order would wait for each other.
 */
async function holdAccount(tx: Tx, tenant_id: string, user_id: string): Promise<void> {
  tx.enter(systemScope);
  await lockAccount(tx, user_id);
  tx.enter(tenantScope(tenant_id));
}

async function changeAccount(
  tx: Queryable,
  user_id: string,
  change: Parameters<typeof updateAccount>[2],
): Promise<void> {
  if ((await listMemberships(tx, user_id)).length > 1) {
    throw conflict(
      'The account belongs to another tenant, too: its address and password cannot be changed here',
    );
  }
  try {
    await updateAccount(tx, user_id, change);
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw conflict('This address has an account already');
  }
}

/** Ends the membership and the logins to this tenant; the account itself stays. */
export async function removeUser(db: Database, tenant_id: string, user_id: string, now: Date): Promise<void> {
  await db.transaction(tenantScope(tenant_id), async (tx) => {
    await getMember(tx, user_id);
    await holdAccount(tx, tenant_id, user_id);
    await keepAnAdmin(tx, user_id);
    if (!(await deleteMembership(tx, user_id))) throw notFound('User');
    await revokeSessionsOf(tx, user_id, now);
  });
}

async function keepAnAdmin(tx: Parameters<typeof lockAdmins>[0], leaving: string): Promise<void> {
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0]?.user_id === leaving) {
    throw conflict('A tenant keeps at least one admin');
  }
}
