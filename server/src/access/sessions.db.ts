import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

/**
 * True while no session of the family of a session `s`, a login and all that was begun with its access tokens, was revoked
 * for an old refresh token. It is looked up, not written into each: one that is begun at that moment ends with the others.
 */
const familyStands = fragment(
  `not exists (select from sessions login where login.id = coalesce(s.family_id, s.id) and login.reused_at is not null)`,
);

const ofActiveTenant = fragment('exists (select from tenants t where t.id = s.tenant_id and t.is_active)');

/**
 * Locks the account of a session that begins (in the system scope). A concurrent change of the password or end of the
 * membership either waits and then finds the session, or is seen by insertSession.
 */
export const keepAccount = (user_id: string) => sql`select from users where id = ${user_id} for key share`;

/**
 * Begins a login, unless the password with this hash has ended meanwhile, or the membership, or the tenant is inactive, and
 * notes where it came from (in the system scope). Comes after keepAccount.
 */
export const insertLogin = (
  session: { tenant_id: string; user_id: string; expires_at: Date },
  proof: { password_hash: string; network: string },
) =>
  sql<{ id: string }>`
    with begun as (
      insert into sessions (tenant_id, user_id, rotated_at, expires_at)
      select m.tenant_id, u.id, ${NOW}, ${session.expires_at} from users u join memberships m on m.user_id = u.id
      join tenants t on t.id = m.tenant_id and t.is_active
      where u.id = ${session.user_id} and m.tenant_id = ${session.tenant_id} and u.password_hash = ${proof.password_hash}
      returning id, user_id
    ), noted as (
      update users set last_login_at = ${NOW} from begun where users.id = begun.user_id
    ), known as (
      insert into login_networks (user_id, network, last_login_at) select user_id, ${proof.network}, ${NOW} from begun
      on conflict (user_id, network) do update set last_login_at = excluded.last_login_at
    )
    select id from begun`
    .first()
    .map((row) => row?.id);

/** Begins a session with another one, unless that has ended meanwhile, or the membership. Like insertLogin otherwise. */
export const insertSession = (
  session: { tenant_id: string; user_id: string; expires_at: Date },
  session_id: string,
) =>
  sql<{ id: string }>`
    insert into sessions (tenant_id, user_id, rotated_at, expires_at, family_id)
    select m.tenant_id, m.user_id, ${NOW}, ${session.expires_at}, coalesce(login.family_id, login.id)
    from memberships m join tenants t on t.id = m.tenant_id and t.is_active
    join sessions login on login.id = ${session_id} and login.revoked_at is null
    where m.user_id = ${session.user_id} and m.tenant_id = ${session.tenant_id}
    returning id`
    .first()
    .map((row) => row?.id);

/** Forgets networks that a user was not signed in from for as long as one is known (in the system scope). */
export const forgetNetworks = (user_id: string) =>
  sql`delete from login_networks where user_id = ${user_id} and last_login_at < ${NOW}::timestamptz - interval '30 days'`;

interface SessionRow {
  id: string;
  tenant_id: string;
  tenant_name: string;
  is_current: boolean;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

interface RotatedSession {
  tenant_id: string;
  user_id: string;
  role: Role | null;
  generation: number;
  revoked: boolean;
}

/**
 * One use of a refresh token of `generation`, decided by the row's lock (contract, section 3):
 * the newest one advances the session; the one just before it, within `grace_seconds` of the advance, gets the same
 * successor again; any older one, or a late one, revokes the whole family.
 */
export const rotateSession = (use: {
  id: string;
  generation: number;
  expires_at: Date;
  grace_seconds: number;
}) =>
  sql<RotatedSession>`
    with used as (
      select s.id, s.family_id, case
        when s.generation = ${use.generation} then null
        when s.generation = ${use.generation} + 1
             and s.rotated_at >= ${NOW}::timestamptz - make_interval(secs => ${use.grace_seconds}) then null
        else ${NOW}::timestamptz end as ended_at
      from sessions s
      where s.id = ${use.id} and s.revoked_at is null and s.expires_at > ${NOW} and ${familyStands}
        and ${ofActiveTenant}
      for no key update
    ), family as (
      update sessions login set reused_at = used.ended_at from used
      where login.id = used.family_id and used.ended_at is not null
    )
    update sessions s set
      generation = case when s.generation = ${use.generation} then s.generation + 1 else s.generation end,
      rotated_at = case when s.generation = ${use.generation} then ${NOW} else s.rotated_at end,
      expires_at = case when s.generation = ${use.generation} then ${use.expires_at} else s.expires_at end,
      revoked_at = used.ended_at, reused_at = coalesce(s.reused_at, used.ended_at)
    from used where s.id = used.id
    returning s.tenant_id, s.user_id, s.generation, s.revoked_at is not null as revoked,
      (select m.role from memberships m where m.user_id = s.user_id and m.tenant_id = s.tenant_id) as role`.first();

/**
 * The role of a session's user today, with the id of its login, which is its family's; undefined when the session or the
 * membership has ended.
 */
export const findSessionRole = (session: { id: string; tenant_id: string; user_id: string }) =>
  sql<{ role: Role; login_id: string }>`
    select m.role, coalesce(s.family_id, s.id) as login_id from sessions s
    join memberships m on m.user_id = s.user_id and m.tenant_id = s.tenant_id
    where s.id = ${session.id} and s.tenant_id = ${session.tenant_id} and s.user_id = ${session.user_id}
      and s.revoked_at is null and ${familyStands} and ${ofActiveTenant}`.first();

/** The sessions of an account that go on, in all tenants, newest first (in the system scope). */
export const listSessions = (user_id: string, current_id: string, limit: number, offset: number) =>
  sql<SessionRow & { total: number }>`
    select s.id, s.tenant_id, t.name as tenant_name, s.id = ${current_id} as is_current, s.created_at,
      s.rotated_at as last_used_at, s.expires_at, count(*) over () as total
    from sessions s
    join memberships m on m.user_id = s.user_id and m.tenant_id = s.tenant_id join tenants t on t.id = s.tenant_id
    where s.user_id = ${user_id} and s.revoked_at is null and s.expires_at > ${NOW} and ${familyStands}
    order by s.created_at desc, s.id limit ${limit} offset ${offset}`;

/** False when the account has no such session that goes on (in the system scope). */
export const revokeOwnSession = (user_id: string, id: string) =>
  sql`update sessions s set revoked_at = ${NOW}
      where s.id = ${id} and s.user_id = ${user_id} and s.revoked_at is null and ${familyStands} returning s.id`.exists();

export const revokeSession = (id: string) =>
  sql`update sessions set revoked_at = ${NOW} where id = ${id} and revoked_at is null`;

/**
 * Ends every login of a user in one tenant (in the tenant's or the system's scope). What was begun with a login is held
 * before it, as an old refresh token that comes back holds them: the two would wait for each other.
 */
export const revokeSessionsOf = (user_id: string) =>
  sql`with held as (
        select id from sessions where user_id = ${user_id} and revoked_at is null
        order by family_id is null, id for no key update
      )
      update sessions s set revoked_at = ${NOW} from held where s.id = held.id`;

/** The same in all tenants, but for the session `but` (in the system scope). */
export const revokeAllSessionsOf = (user_id: string, but?: string) =>
  sql`with held as (
        select id from sessions where user_id = ${user_id} and revoked_at is null and id is distinct from ${but}
        order by family_id is null, id for no key update
      )
      update sessions s set revoked_at = ${NOW} from held where s.id = held.id`;

/** Sessions some time after their end. The first one of a family stays as long as others of it. */
export const endedSessions = (days: number): Deletion =>
  expiredRows({
    table: 'sessions',
    where: sql`
      least(expires_at, revoked_at) <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
      and not exists (
        select from sessions other where other.family_id = sessions.id
          and least(other.expires_at, other.revoked_at) > ${NOW}::timestamptz - ${days}::int * interval '1 day')`,
    orderBy: 'least(expires_at, revoked_at)',
  });
