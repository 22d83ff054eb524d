import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** A member of a tenant, as the tenant sees it. */
export interface MemberRow {
  id: string;
  email: string;
  role: Role;
  created_at: Date;
  updated_at: Date;
}

interface Membership {
  tenant_id: string;
  tenant_name: string;
  role: Role;
}

const memberColumns = fragment('user_id as id, email, role, created_at, updated_at');

interface NewAccount {
  tenant_id: string;
  email: string;
  role: Role;
  password_hash: string;
  /** False for a password that an admin or the operator chose. */
  password_is_owners: boolean;
}

/**
 * Makes an account of a tenant, with its membership there (in the system scope). Violates memberships_email where the
 * tenant has the address already.
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

/** Holds an account, so that no tenant adds it as its member meanwhile (in the system scope). */
export const lockAccount = (id: string) => sql`select from users where id = ${id} for update`;

/**
 * Changes what is given of an account (in the system scope). Violates memberships_email where a tenant of the account has
 * the new address already.
 */
export const updateAccount = (
  id: string,
  change: { email?: string | undefined; password_hash?: string | undefined; password_is_owners?: boolean },
) =>
  sql`update users set email = coalesce(${change.email}, email),
        password_hash = coalesce(${change.password_hash}, password_hash),
        password_is_owners = coalesce(${change.password_is_owners}, password_is_owners)
      where id = ${id}`;

/** Replaces a password by its owner's choice; false when it is another one by now (in the system scope). */
export const replacePassword = (id: string, hash: { from: string; to: string }) =>
  sql`update users set password_hash = ${hash.to}, password_is_owners = true
      where id = ${id} and password_hash = ${hash.from} returning id`.exists();

/** True where the tenant created the account and no other has it as a member (in the system scope). */
export const isOwnAccount = (tenant_id: string, user_id: string) =>
  sql`select from users u where u.id = ${user_id} and u.home_tenant_id = ${tenant_id}
        and not exists (select from memberships m where m.user_id = u.id and m.tenant_id <> ${tenant_id})`.exists();

/** Violates a unique index where the account is a member already, or its address is another member's. */
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

/** All memberships of an account, those of active tenants first, then oldest first (in the system scope). */
export const listMemberships = (user_id: string) =>
  sql<Membership>`
    select m.tenant_id, t.name as tenant_name, m.role from memberships m join tenants t on t.id = m.tenant_id
    where m.user_id = ${user_id} order by t.is_active desc, m.created_at, m.tenant_id`;

/** Locks the tenant's admins, so that of two who step down at once one stays. */
export const lockAdmins = () =>
  sql<{ user_id: string }>`select user_id from memberships where role = 'admin' order by user_id for update`;

/** Notes that a member was changed, and its role when one is given. */
export const updateMembership = (user_id: string, role: Role | undefined) =>
  sql`update memberships set role = coalesce(${role}, role), updated_at = greatest(updated_at, ${NOW})
      where user_id = ${user_id}`;

export const deleteMembership = (user_id: string) =>
  sql`delete from memberships where user_id = ${user_id} returning user_id`.exists();
