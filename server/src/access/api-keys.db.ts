import type { RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { ApiKey } from './api-keys.contract.ts';

export type ApiKeyRow = RowOf<typeof ApiKey>;
type RateLimit = ApiKeyRow['rate_limit'];

/** null: unspecified. */
interface Bounds {
  rate_limit: RateLimit | null;
  /** As text, because PostgreSQL parses every form of the contract's shape, unlike Date. */
  expires_at: Date | string | null;
}

interface NewApiKey extends Bounds, Pick<ApiKeyRow, 'name' | 'prefix' | 'role'> {
  key_hash: Buffer;
  scopes: readonly string[];
}

/** Contract, section 3. */
const DEFAULT_RATE_LIMIT: RateLimit = { limit: 600, window_seconds: 60 };

/**
 * A rotated key has the end of its overlap as `revoked_at`, so a key ends at the earlier of the two. A key ended at
 * once has -infinity, which stays past even when the clock is set back.
 */
const columns = fragment(`id, tenant_id, name, prefix, role, scopes,
  jsonb_build_object('limit', rate_limit_limit, 'window_seconds', rate_limit_window_seconds) as rate_limit,
  least(expires_at, revoked_at) as expires_at, last_used_at, created_at`);

const ofActiveTenant = fragment('exists (select from tenants t where t.id = tenant_id and t.is_active)');

/**
 * Raises unless `child` ends no later than the `parent` that mints it, and has neither a larger burst nor a higher
 * rate. So it never allows more requests than its parent.
 */
const withinParent = fragment(`
  must_be_allowed(parent.revoked_at is distinct from '-infinity', 'The API key has ended'),
  must_be_allowed(
    coalesce(child.expires_at, 'infinity') <= coalesce(least(parent.expires_at, parent.revoked_at), 'infinity'),
    'The API key cannot give a key an expires_at after its own end'),
  must_be_allowed(
    child.rate_limit_limit <= parent.rate_limit_limit
      and child.rate_limit_limit::bigint * parent.rate_limit_window_seconds
          <= parent.rate_limit_limit::bigint * child.rate_limit_window_seconds,
    'The API key cannot give a key a rate_limit that allows more than its own')`);

/** A key that is neither revoked nor expired, of any active tenant (in the system scope). */
export const findLiveApiKey = (key_hash: Buffer) =>
  sql<ApiKeyRow>`
    select ${columns} from api_keys
    where key_hash = ${key_hash} and coalesce(least(expires_at, revoked_at), 'infinity') > ${NOW}
      and ${ofActiveTenant}`.first();

/** Not revoked. */
export const findApiKey = (id: string) =>
  sql<ApiKeyRow>`
    select ${columns} from api_keys where id = ${id} and coalesce(revoked_at, 'infinity') > ${NOW}`.first();

/** Not revoked. */
export const listApiKeys = (limit: number, offset: number) =>
  sql<ApiKeyRow & { total: number }>`
    select ${columns}, count(*) over () as total from api_keys where coalesce(revoked_at, 'infinity') > ${NOW}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** A new key must not exceed the key that mints it (contract, section 17). */
export const mustStayWithin = (parent_id: string, { rate_limit, expires_at }: Bounds) =>
  sql`
    select ${withinParent} from api_keys parent cross join lateral (
      select coalesce(${rate_limit?.limit ?? null}, parent.rate_limit_limit) as rate_limit_limit,
             coalesce(${rate_limit?.window_seconds ?? null}, parent.rate_limit_window_seconds) as rate_limit_window_seconds,
             coalesce(${expires_at}, least(parent.expires_at, parent.revoked_at)) as expires_at
    ) child
    where parent.id = ${parent_id}`;

/** The successor of `id` must not exceed the key that rotates it. A key may always rotate itself. */
export const mustStayWithinToRotate = (parent_id: string, id: string) =>
  sql`
    select ${withinParent} from api_keys parent, api_keys child
    where parent.id = ${parent_id} and child.id = ${id} and child.id <> parent.id`;

/** @param parent_id the minting key, whose bounds replace null ones; null for a user */
export const insertApiKey = (key: NewApiKey, parent_id: string | null) => {
  const { rate_limit, expires_at } = key;
  return sql<ApiKeyRow>`
    insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes,
                          rate_limit_limit, rate_limit_window_seconds, expires_at)
    select current_tenant(), ${key.name}, ${key.prefix}, ${key.key_hash}, ${key.role}, ${key.scopes},
           coalesce(${rate_limit?.limit ?? null}, parent.rate_limit_limit, ${DEFAULT_RATE_LIMIT.limit}),
           coalesce(${rate_limit?.window_seconds ?? null}, parent.rate_limit_window_seconds,
                    ${DEFAULT_RATE_LIMIT.window_seconds}),
           coalesce(${expires_at}, least(parent.expires_at, parent.revoked_at))
    from (select) one left join api_keys parent on parent.id = ${parent_id}
    returning ${columns}`.one();
};

/** False when it was already revoked or does not exist. */
export const revokeApiKey = (id: string) =>
  sql`update api_keys set revoked_at = '-infinity'
      where id = ${id} and coalesce(revoked_at, 'infinity') > ${NOW} returning id`.exists();

/**
 * Inserts a successor with the same rights and ends the live key at `ends_at` at the latest. A repeated rotation
 * inserts another successor; the earliest end counts.
 * The insert reads from the update, so the old key leaves the tenant's count before the new one is counted.
 */
export const rotateApiKey = (
  id: string,
  successor: { prefix: string; key_hash: Buffer },
  ends_at: Date | '-infinity',
) =>
  sql<ApiKeyRow>`
    with ending as (
      update api_keys set revoked_at = least(revoked_at, ${ends_at}::timestamptz)
      where id = ${id} and coalesce(least(expires_at, revoked_at), 'infinity') > ${NOW}
      returning *
    )
    insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes,
                          rate_limit_limit, rate_limit_window_seconds, expires_at)
    select tenant_id, name, ${successor.prefix}, ${successor.key_hash}, role, scopes,
           rate_limit_limit, rate_limit_window_seconds, expires_at
    from ending
    returning ${columns}`.first();

/**
 * Records uses and returns the keys that are still valid (in the system scope). Locks rows in the order of ids, or two
 * copies of the service could deadlock.
 */
export const touchApiKeys = (ids: readonly string[], ats: readonly Date[]) =>
  sql<ApiKeyRow>`
    with held as (
      select id from api_keys where id = any(${ids}::uuid[]) order by id for no key update
    ), touched as (
      update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
      from held join unnest(${ids}::uuid[], ${ats}::timestamptz[]) as used (id, at) using (id)
      where k.id = held.id
      returning k.*
    )
    select ${columns} from touched where coalesce(revoked_at, 'infinity') > now() and ${ofActiveTenant}`;
