import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** What a login was proved by: the password that has this hash, or another login. */
export type Proof =
  | { password_hash: string; session_id?: never }
  | { session_id: string; password_hash?: never };

/**
 * Of a session `s`: whether none of its family, which are a login and what was begun with its access tokens, was revoked
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
 * Begins a session, unless what it was proved by has ended meanwhile, or the membership, or the tenant is inactive (in
 * the system scope). Comes after keepAccount.
 */
export const insertSession = (
  session: { tenant_id: string; user_id: string; expires_at: Date },
  proof: Proof,
) => {
  const { password_hash = null, session_id = null } = proof;
  return sql<{ id: string }>`
    insert into sessions (tenant_id, user_id, rotated_at, expires_at, family_id)
    select m.tenant_id, u.id, ${NOW}, ${session.expires_at},
      (select coalesce(family_id, id) from sessions where id = ${session_id})
    from users u join memberships m on m.user_id = u.id join tenants t on t.id = m.tenant_id and t.is_active
    where u.id = ${session.user_id} and m.tenant_id = ${session.tenant_id}
      and (u.password_hash = ${password_hash}
           or exists (select from sessions where id = ${session_id} and revoked_at is null))
    returning id`
    .first()
    .map((row) => row?.id);
};

export interface RotatedSession {
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

/** The role of a session's user today; undefined when the session or the membership has ended. */
export const findSessionRole = (session: { id: string; tenant_id: string; user_id: string }) =>
  sql<{ role: Role }>`
    select m.role from sessions s
    join memberships m on m.user_id = s.user_id and m.tenant_id = s.tenant_id
    where s.id = ${session.id} and s.tenant_id = ${session.tenant_id} and s.user_id = ${session.user_id}
      and s.revoked_at is null and ${familyStands} and ${ofActiveTenant}`
    .first()
    .map((row) => row?.role);

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
