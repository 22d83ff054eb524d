import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';

export interface MemberRow {
  id: string;
  email: string;
  role: Role;
  last_signed_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface Membership {
  tenant_id: string;
  tenant_name: string;
  role: Role;
}

const memberColumns = fragment('user_id as id, email, role, last_signed_in_at, created_at, updated_at');

interface NewAccount {
  tenant_id: string;
  email: string;
  role: Role;
  password_hash: string;
  /** False when an admin or the operator chose the password. */
  password_is_owners: boolean;
}

/**
 * Creates an account with its membership (in the system scope). Violates memberships_email when the tenant already has
 * the address.
 */
export const insertAccount = (account: NewAccount) =>
  sql<MemberRow>`
    with account as (
      insert into users (email, password_hash, password_is_owners, home_tenant_id)
      values (${account.email}, ${account.password_hash}, ${account.password_is_owners}, ${account.tenant_id})
      returning id, email
    )
    insert into memberships (tenant_id, user_id, email, role)
    select ${account.tenant_id}, id, email, ${account.role} from account returning ${memberColumns}`.one();

/** Locks an account, so that no tenant adds a membership (in the system scope). */
export const lockAccount = (id: string) => sql`select from users where id = ${id} for update`;

/**
 * Absent fields stay (in the system scope). Violates memberships_email when a tenant of the account already has the
 * address.
 */
export const updateAccount = (
  id: string,
  change: { email?: string | undefined; password_hash?: string | undefined; password_is_owners?: boolean },
) =>
  sql`update users set email = coalesce(${change.email}, email),
        password_hash = coalesce(${change.password_hash}, password_hash),
        password_is_owners = coalesce(${change.password_is_owners}, password_is_owners)
      where id = ${id}`;

/** Sets the owner's choice; false when the password was changed meanwhile (in the system scope). */
export const replacePassword = (id: string, hash: { from: string; to: string }) =>
  sql`update users set password_hash = ${hash.to}, password_is_owners = true
      where id = ${id} and password_hash = ${hash.from} returning id`.exists();

/** The tenant created the account and is its only tenant (in the system scope). */
export const isOwnAccount = (tenant_id: string, user_id: string) =>
  sql`select from users u where u.id = ${user_id} and u.home_tenant_id = ${tenant_id}
        and not exists (select from memberships m where m.user_id = u.id and m.tenant_id <> ${tenant_id})`.exists();

/** Violates a unique index when the account, or another with its address, is already a member. */
export const insertMembership = (tenant_id: string, user_id: string, role: Role) =>
  sql`insert into memberships (tenant_id, user_id, email, role)
      select ${tenant_id}, id, email, ${role} from users where id = ${user_id}`;

export const findMember = (user_id: string) =>
  sql<MemberRow>`
    select ${memberColumns} from memberships where user_id = ${user_id}`.first();

export const listMembers = (limit: number, offset: number) =>
  sql<MemberRow & { total: number }>`
    select ${memberColumns}, count(*) over () as total from memberships
    order by created_at desc, user_id limit ${limit} offset ${offset}`;

/** Active tenants first, then oldest memberships (in the system scope). */
export const listMemberships = (user_id: string) =>
  sql<Membership>`
    select m.tenant_id, t.name as tenant_name, m.role from memberships m join tenants t on t.id = m.tenant_id
    where m.user_id = ${user_id} order by t.is_active desc, m.created_at, m.tenant_id`;

/** Locks the admins, so that two who leave at once cannot leave none. */
export const lockAdmins = () =>
  sql<{ user_id: string }>`select user_id from memberships where role = 'admin' order by user_id for update`;

/** Updates updated_at, and the role if given. */
export const updateMembership = (user_id: string, role: Role | undefined) =>
  sql`update memberships set role = coalesce(${role}, role), updated_at = greatest(updated_at, ${NOW})
      where user_id = ${user_id}`;

export const deleteMembership = (user_id: string) =>
  sql`delete from memberships where user_id = ${user_id} returning user_id`.exists();
