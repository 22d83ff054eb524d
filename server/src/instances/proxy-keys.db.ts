import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';

/** Whose a proxy key is (in the system scope). */
export async function findProxyKeyOwner(
  q: Queryable,
  key_hash: Buffer,
  now: Date,
): Promise<{ tenant_id: string; instance_id: string } | undefined> {
  const [row] = await q.rows(
    sql<{ tenant_id: string; instance_id: string }>`
      select tenant_id, instance_id from proxy_keys
      where key_hash = ${key_hash} and (expires_at is null or expires_at > ${now})`,
  );
  return row;
}

/**
 * Adds a key, unless the instance is being ended or has; the ones before it end at `others_end_at` unless they end
 * earlier. Of two at once each would miss the other's key: the caller holds the instance in the same transaction.
 */
export const insertProxyKey = (
  q: Queryable,
  key: { instance_id: string; key_hash: Buffer; sealed_key: Buffer; others_end_at: Date },
) =>
  q.rows(
    sql`with others as (
          update proxy_keys set expires_at = least(expires_at, ${key.others_end_at}) where instance_id = ${key.instance_id}
        )
        insert into proxy_keys (tenant_id, instance_id, key_hash, sealed_key)
        select tenant_id, id, ${key.key_hash}, ${key.sealed_key} from instances
        where id = ${key.instance_id} and status not in ('terminating', 'terminated')`,
  );

/** The newest key of an instance, sealed. */
export async function findSealedProxyKey(q: Queryable, instance_id: string): Promise<Buffer | undefined> {
  const [row] = await q.rows(
    sql<{ sealed_key: Buffer }>`
      select sealed_key from proxy_keys where instance_id = ${instance_id} and expires_at is null
      order by created_at desc limit 1`,
  );
  return row?.sealed_key;
}

export const deleteProxyKeys = (q: Queryable, instance_id: string) =>
  q.rows(sql`delete from proxy_keys where instance_id = ${instance_id}`);
