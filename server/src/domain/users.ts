import type { Role } from '../actor.ts';
import { type Database, systemScope, tenantScope } from '../db/database.ts';
import { revokeSessionsOf } from '../db/sessions.ts';
import {
  deleteMembership,
  ensureAccount,
  findMember,
  insertMembership,
  lockAdmins,
  type MemberRow,
  updateMembershipRole,
} from '../db/users.ts';
import { conflict, notFound } from '../errors.ts';
import type { Hasher } from './ports.ts';

export { findMember, listMembers, listMemberships } from '../db/users.ts';

/** Adds a member; an account that the address has already is kept with its password (contract, section 9). */
export async function addUser(
  db: Database,
  hasher: Hasher,
  tenant_id: string,
  user: { email: string; password: string; role: Role },
): Promise<MemberRow> {
  const password_hash = await hasher.hash(user.password);
  return db.transaction(systemScope, async (tx) => {
    const user_id = await ensureAccount(tx, user.email, password_hash);
    tx.enter(tenantScope(tenant_id));
    if (!(await insertMembership(tx, tenant_id, user_id, user.role))) {
      throw conflict('This address is a user of the tenant already');
    }
    return (await findMember(tx, user_id)) as MemberRow;
  });
}

export async function changeRole(
  db: Database,
  tenant_id: string,
  user_id: string,
  role: Role | undefined,
  now: Date,
): Promise<MemberRow> {
  return db.transaction(tenantScope(tenant_id), async (tx) => {
    if (role === 'member') await keepAnAdmin(tx, user_id);
    if (role !== undefined) await updateMembershipRole(tx, user_id, role, now);
    const member = await findMember(tx, user_id);
    if (!member) throw notFound('User');
    return member;
  });
}

/** Ends the membership and the logins to this tenant; the account itself stays. */
export async function removeUser(db: Database, tenant_id: string, user_id: string, now: Date): Promise<void> {
  await db.transaction(tenantScope(tenant_id), async (tx) => {
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
