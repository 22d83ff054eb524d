import type { Role } from '../platform/actor.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface ApiKeyRow {
  id: string;
  tenant_id: string;
  name: string;
  prefix: string;
  role: Role;
  scopes: string[];
  rate_limit: { limit: number; window_seconds: number };
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

export interface NewApiKey {
  name: string;
  prefix: string;
  key_hash: Buffer;
  role: Role;
  scopes: readonly string[];
  rate_limit: { limit: number; window_seconds: number };
  /** As text it is PostgreSQL's to read: it takes every form that a shape lets through, unlike Date. */
  expires_at: Date | string | null;
}

/**
 * `revoked_at` of a rotated key is the end of its overlap, which may lie ahead: a key ends at the earlier of the two. Of
 * one that ended at once it is -infinity, which is past by every clock, also by one that is set back later.
 */
const columns = fragment(`id, tenant_id, name, prefix, role, scopes,
  jsonb_build_object('limit', rate_limit_limit, 'window_seconds', rate_limit_window_seconds) as rate_limit,
  least(expires_at, revoked_at) as expires_at, last_used_at, created_at`);

/** A key that is neither revoked nor expired, by its hash, whoever's it is (in the system scope). */
export async function findLiveApiKey(
  q: Queryable,
  key_hash: Buffer,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  const [row] = await q.rows(
    sql<ApiKeyRow>`select ${columns} from api_keys
                   where key_hash = ${key_hash} and coalesce(least(expires_at, revoked_at), 'infinity') > ${now}`,
  );
  return row;
}

export async function findApiKey(q: Queryable, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  const [row] = await q.rows(
    sql<ApiKeyRow>`select ${columns} from api_keys
                   where id = ${id} and coalesce(revoked_at, 'infinity') > ${now}`,
  );
  return row;
}

export const listApiKeys = (q: Queryable, now: Date, limit: number, offset: number) =>
  q.rows(
    sql<ApiKeyRow & { total: number }>`
      select ${columns}, count(*) over () as total from api_keys where coalesce(revoked_at, 'infinity') > ${now}
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

export async function insertApiKey(q: Queryable, tenant_id: string, key: NewApiKey): Promise<ApiKeyRow> {
  const [row] = await q.rows(
    sql<ApiKeyRow>`
      insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes,
                            rate_limit_limit, rate_limit_window_seconds, expires_at)
      values (${tenant_id}, ${key.name}, ${key.prefix}, ${key.key_hash}, ${key.role}, ${key.scopes},
              ${key.rate_limit.limit}, ${key.rate_limit.window_seconds}, ${key.expires_at})
      returning ${columns}`,
  );
  return row as ApiKeyRow;
}

/** @returns whether there was such a key */
export async function revokeApiKey(q: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await q.rows(
    sql`update api_keys set revoked_at = '-infinity'
        where id = ${id} and coalesce(revoked_at, 'infinity') > ${now} returning id`,
  );
  return rows.length > 0;
}

/**
 * Replaces a live key by a new one with the same name, role, scopes and limits, in one statement: of two rotations, at
 * once or because an answer was lost, the second finds the key already on its way out and still makes a successor of
 * its own. The old key ends at the earliest of its own expiry and each `ends_at`; the new ones inherit the expiry.
 */
export async function rotateApiKey(
  q: Queryable,
  id: string,
  successor: { prefix: string; key_hash: Buffer },
  now: Date,
  ends_at: Date | '-infinity',
): Promise<ApiKeyRow | undefined> {
  const [row] = await q.rows(
    sql<ApiKeyRow>`
      with old as (
        select * from api_keys where id = ${id} and coalesce(least(expires_at, revoked_at), 'infinity') > ${now}
        for update
      ), ending as (
        update api_keys k set revoked_at = least(k.revoked_at, ${ends_at}::timestamptz) from old where k.id = old.id
      )
      insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes,
                            rate_limit_limit, rate_limit_window_seconds, expires_at)
      select tenant_id, name, ${successor.prefix}, ${successor.key_hash}, role, scopes,
             rate_limit_limit, rate_limit_window_seconds, expires_at
      from old
      returning ${columns}`,
  );
  return row;
}

/**
 * Notes when keys were last used; many at once, because it is done now and then for all. They are held in one order,
 * because copies of the service that note the same ones would wait for each other.
 * @returns those of them that are not revoked
 */
export const touchApiKeys = (q: Queryable, ids: readonly string[], ats: readonly Date[]) =>
  q.rows(
    sql<ApiKeyRow>`
      with held as (
        select id from api_keys where id = any(${ids}::uuid[]) order by id for no key update
      ), touched as (
        update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
        from held join unnest(${ids}::uuid[], ${ats}::timestamptz[]) as used (id, at) using (id)
        where k.id = held.id
        returning k.*
      )
      select ${columns} from touched where coalesce(revoked_at, 'infinity') > now()`,
  );
