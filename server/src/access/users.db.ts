import type { Role } from '../platform/actor.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** A member of a tenant, as the tenant sees it. */
export interface MemberRow {
  id: string;
  email: string;
  role: Role;
  created_at: Date;
  updated_at: Date;
}

export interface Membership {
  tenant_id: string;
  tenant_name: string;
  role: Role;
}

const memberColumns = fragment('u.id, u.email, m.role, m.created_at, m.updated_at');

/** The account of an address, with its password hash (in the system scope). */
export async function findAccount(
  q: Queryable,
  email: string,
): Promise<{ id: string; password_hash: string } | undefined> {
  const [row] = await q.rows(
    sql<{
      id: string;
      password_hash: string;
    }>`select id, password_hash from users where lower(email) = lower(${email})`,
  );
  return row;
}

/** Makes an account unless the address has one. @returns the account's id either way (in the system scope) */
export async function ensureAccount(q: Queryable, email: string, password_hash: string): Promise<string> {
  const [row] = await q.rows(
    sql<{ id: string }>`
      insert into users (email, password_hash) values (${email}, ${password_hash})
      on conflict (lower(email)) do update set email = users.email returning id`,
  );
  return (row as { id: string }).id;
}

/** Holds an account, so that no tenant adds it as its member meanwhile (in the system scope). */
export const lockAccount = (q: Queryable, id: string) =>
  q.rows(sql`select from users where id = ${id} for update`);

/** Changes what is given of an account; an address that another one has violates users_email (in the system scope). */
export const updateAccount = (
  q: Queryable,
  id: string,
  change: { email: string | undefined; password_hash: string | undefined },
) =>
  q.rows(
    sql`update users set email = coalesce(${change.email}, email),
          password_hash = coalesce(${change.password_hash}, password_hash) where id = ${id}`,
  );

/** @returns undefined when the account is a member already */
export async function insertMembership(
  q: Queryable,
  tenant_id: string,
  user_id: string,
  role: Role,
): Promise<{ user_id: string } | undefined> {
  const [row] = await q.rows(
    sql<{ user_id: string }>`
      insert into memberships (tenant_id, user_id, role) values (${tenant_id}, ${user_id}, ${role})
      on conflict do nothing returning user_id`,
  );
  return row;
}

export async function findMember(q: Queryable, user_id: string): Promise<MemberRow | undefined> {
  const [row] = await q.rows(
    sql<MemberRow>`select ${memberColumns} from memberships m join users u on u.id = m.user_id where u.id = ${user_id}`,
  );
  return row;
}

export const listMembers = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<MemberRow & { total: number }>`
      select ${memberColumns}, count(*) over () as total from memberships m join users u on u.id = m.user_id
      order by m.created_at desc, u.id limit ${limit} offset ${offset}`,
  );

/** All memberships of an account, oldest first (in the system scope). */
export const listMemberships = (q: Queryable, user_id: string) =>
  q.rows(
    sql<Membership>`
      select m.tenant_id, t.name as tenant_name, m.role from memberships m join tenants t on t.id = m.tenant_id
      where m.user_id = ${user_id} order by m.created_at, m.tenant_id`,
  );

/** Locks the tenant's admins, so that of two who step down at once one stays. */
export const lockAdmins = (q: Queryable) =>
  q.rows(
    sql<{
      user_id: string;
    }>`select user_id from memberships where role = 'admin' order by user_id for update`,
  );

/** Notes that a member was changed, and its role when one is given. */
export const updateMembership = (q: Queryable, user_id: string, role: Role | undefined, now: Date) =>
  q.rows(
    sql`update memberships set role = coalesce(${role}, role), updated_at = greatest(updated_at, ${now})
        where user_id = ${user_id}`,
  );

export async function deleteMembership(q: Queryable, user_id: string): Promise<boolean> {
  const rows = await q.rows(sql`delete from memberships where user_id = ${user_id} returning user_id`);
  return rows.length > 0;
}
