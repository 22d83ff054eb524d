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

export interface Membership {
  tenant_id: string;
  tenant_name: string;
  role: Role;
}

const memberColumns = fragment('u.id, u.email, m.role, m.created_at, m.updated_at');

/** The account of an address, with its password hash (in the system scope). */
export const findAccount = (email: string) =>
  sql<{ id: string; password_hash: string }>`
    select id, password_hash from users where lower(email) = lower(${email})`.first();

/** Makes an account unless the address has one. @returns the account's id either way (in the system scope) */
export const ensureAccount = (email: string, password_hash: string) =>
  sql<{ id: string }>`
    insert into users (email, password_hash) values (${email}, ${password_hash})
    on conflict (lower(email)) do update set email = users.email returning id`
    .one()
    .map(({ id }) => id);

/** Holds an account, so that no tenant adds it as its member meanwhile (in the system scope). */
export const lockAccount = (id: string) => sql`select from users where id = ${id} for update`;

/** Changes what is given of an account; an address that another one has violates users_email (in the system scope). */
export const updateAccount = (
  id: string,
  change: { email: string | undefined; password_hash: string | undefined },
) =>
  sql`update users set email = coalesce(${change.email}, email),
        password_hash = coalesce(${change.password_hash}, password_hash) where id = ${id}`;

/** False when the account is a member already. */
export const insertMembership = (tenant_id: string, user_id: string, role: Role) =>
  sql`insert into memberships (tenant_id, user_id, role) values (${tenant_id}, ${user_id}, ${role})
      on conflict do nothing returning user_id`.exists();

export const findMember = (user_id: string) =>
  sql<MemberRow>`
    select ${memberColumns} from memberships m join users u on u.id = m.user_id where u.id = ${user_id}`.first();

export const listMembers = (limit: number, offset: number) =>
  sql<MemberRow & { total: number }>`
    select ${memberColumns}, count(*) over () as total from memberships m join users u on u.id = m.user_id
    order by m.created_at desc, u.id limit ${limit} offset ${offset}`;

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
