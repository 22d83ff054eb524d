import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

/**
 * A family is a login with all sessions that began from its access tokens. Reuse of an old refresh token revokes it.
 * The flag is looked up at the login instead of copied to every session, so a session that begins at that moment ends,
 * too.
 */
const familyIsValid = fragment(
  `not exists (select from sessions login where login.id = coalesce(s.family_id, s.id) and login.reused_at is not null)`,
);

const ofActiveTenant = fragment('exists (select from tenants t where t.id = s.tenant_id and t.is_active)');

/**
 * Locks the account of a beginning session (in the system scope). A concurrent password change or removal either waits
 * and then finds the session, or is seen by insertSession.
 */
export const shareLockAccount = (user_id: string) =>
  sql`select from users where id = ${user_id} for key share`;

/**
 * Begins a login and records its network, unless the password or membership has ended or the tenant is inactive (in the
 * system scope, after shareLockAccount).
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
      update users set last_login_at = ${NOW} from begun where users.id = begun.user_id returning users.id
    ), signed_in as (
      -- From noted, because memberships are locked after the account.
      update memberships m set last_signed_in_at = ${NOW} from noted
      where m.user_id = noted.id and m.tenant_id = ${session.tenant_id}
    ), known as (
      insert into login_networks (user_id, network, last_login_at) select user_id, ${proof.network}, ${NOW} from begun
      on conflict (user_id, network) do update set last_login_at = excluded.last_login_at
    )
    select id from begun`
    .first()
    .map((row) => row?.id);

/** Begins a session from another one, unless that one or the membership has ended. Otherwise like insertLogin. */
export const insertSession = (
  session: { tenant_id: string; user_id: string; expires_at: Date },
  session_id: string,
) =>
  sql<{ id: string }>`
    with begun as (
      insert into sessions (tenant_id, user_id, rotated_at, expires_at, family_id)
      select m.tenant_id, m.user_id, ${NOW}, ${session.expires_at}, coalesce(login.family_id, login.id)
      from memberships m join tenants t on t.id = m.tenant_id and t.is_active
      join sessions login on login.id = ${session_id} and login.revoked_at is null
      where m.user_id = ${session.user_id} and m.tenant_id = ${session.tenant_id}
      returning id, tenant_id, user_id
    ), signed_in as (
      update memberships m set last_signed_in_at = ${NOW} from begun
      where m.user_id = begun.user_id and m.tenant_id = begun.tenant_id
    )
    select id from begun`
    .first()
    .map((row) => row?.id);

/**
 * Uses a one-time link and begins a login of its user, who may set a password within `password_free_minutes` (in the
 * system scope). Undefined for an unknown, used or expired link, and for an ended membership.
 */
export const insertLinkLogin = (link: {
  token_hash: Buffer;
  expires_at: Date;
  password_free_minutes: number;
}) =>
  sql<{ id: string; tenant_id: string; user_id: string; role: Role }>`
    with account as (
      -- Locked before its link, in the order in which the removal of a user locks them.
      select u.id from sign_in_links l join users u on u.id = l.user_id where l.token_hash = ${link.token_hash} for update of u
    ), used as (
      update sign_in_links l set used_at = ${NOW}
      from account a join memberships m on m.user_id = a.id join tenants t on t.id = m.tenant_id and t.is_active
      where l.token_hash = ${link.token_hash} and l.used_at is null and l.expires_at > ${NOW}
        and m.user_id = l.user_id and m.tenant_id = l.tenant_id
      returning l.tenant_id, l.user_id, m.role
    ), noted as (
      update users set last_login_at = ${NOW} from used where users.id = used.user_id
      returning users.id, used.tenant_id
    ), signed_in as (
      update memberships m set last_signed_in_at = ${NOW} from noted
      where m.user_id = noted.id and m.tenant_id = noted.tenant_id
    ), begun as (
      insert into sessions (tenant_id, user_id, rotated_at, expires_at, password_free_until)
      select tenant_id, user_id, ${NOW}, ${link.expires_at},
        ${NOW}::timestamptz + make_interval(mins => ${link.password_free_minutes})
      from used returning id
    )
    select begun.id, used.tenant_id, used.user_id, used.role from begun, used`.first();

/** True once for a session begun by a link, and only within its time (in the system scope). */
export const useFreePassword = (id: string) =>
  sql`update sessions set password_free_until = null where id = ${id} and password_free_until > ${NOW} returning id`.exists();

/** The same time as in findAccounts (in the system scope). */
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
 * Uses a refresh token of `generation` under the row's lock (contract, section 3). The newest token advances the
 * session. The previous one gets the same successor within `grace_seconds` of the advance. Later, or with an older
 * token, the whole family is revoked.
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
      where s.id = ${use.id} and s.revoked_at is null and s.expires_at > ${NOW} and ${familyIsValid}
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

/** In the system scope. */
export const findSessionTenant = (id: string) =>
  sql<{
    tenant_id: string;
    user_id: string;
  }>`select tenant_id, user_id from sessions where id = ${id}`.first();

/** The user's current role and the login of the family; undefined when the session or the membership has ended. */
export const findSessionRole = (session: { id: string; tenant_id: string; user_id: string }) =>
  sql<{ role: Role; login_id: string }>`
    select m.role, coalesce(s.family_id, s.id) as login_id from sessions s
    join memberships m on m.user_id = s.user_id and m.tenant_id = s.tenant_id
    where s.id = ${session.id} and s.tenant_id = ${session.tenant_id} and s.user_id = ${session.user_id}
      and s.revoked_at is null and ${familyIsValid} and ${ofActiveTenant}`.first();

/** Live sessions of an account in all tenants, newest first (in the system scope). */
export const listSessions = (user_id: string, current_id: string, limit: number, offset: number) =>
  sql<SessionRow & { total: number }>`
    select s.id, s.tenant_id, t.name as tenant_name, s.id = ${current_id} as is_current, s.created_at,
      s.rotated_at as last_used_at, s.expires_at, count(*) over () as total
    from sessions s
    join memberships m on m.user_id = s.user_id and m.tenant_id = s.tenant_id join tenants t on t.id = s.tenant_id
    where s.user_id = ${user_id} and s.revoked_at is null and s.expires_at > ${NOW} and ${familyIsValid}
    order by s.created_at desc, s.id limit ${limit} offset ${offset}`;

/** False when the account has no such live session (in the system scope). */
export const revokeOwnSession = (user_id: string, id: string) =>
  sql`update sessions s set revoked_at = ${NOW}
      where s.id = ${id} and s.user_id = ${user_id} and s.revoked_at is null and ${familyIsValid} returning s.id`.exists();

export const revokeSession = (id: string) =>
  sql`update sessions set revoked_at = ${NOW} where id = ${id} and revoked_at is null`;

/**
 * Ends a user's sessions in one tenant (in the tenant's or the system scope). Sessions that began from a login are
 * locked before it, as in rotateSession; otherwise the two could deadlock.
 */
export const revokeSessionsOf = (user_id: string) =>
  sql`with held as (
        select id from sessions where user_id = ${user_id} and revoked_at is null
        order by family_id is null, id for no key update
      )
      update sessions s set revoked_at = ${NOW} from held where s.id = held.id`;

/** In all tenants, except session `but` (in the system scope). */
export const revokeAllSessionsOf = (user_id: string, but?: string) =>
  sql`with held as (
        select id from sessions where user_id = ${user_id} and revoked_at is null and id is distinct from ${but}
        order by family_id is null, id for no key update
      )
      update sessions s set revoked_at = ${NOW} from held where s.id = held.id`;

/** Sessions `days` after their end. A login stays as long as other sessions of its family. */
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
