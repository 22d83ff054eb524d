import { NOW, sql } from '../platform/db/sql.ts';

/** The active tenant and the instance of a valid proxy key (in the system scope). */
export const findProxyKeyOwner = (key_hash: Buffer) =>
  sql<{ tenant_id: string; instance_id: string }>`
    select tenant_id, instance_id from proxy_keys
    where key_hash = ${key_hash} and (expires_at is null or expires_at > ${NOW})
      and exists (select from tenants t where t.id = tenant_id and t.is_active)`.first();

/**
 * Adds a key unless the instance is terminating or terminated. Its earlier keys expire at `others_end_at` at the latest.
 * The caller locks the instance in the same transaction: two concurrent calls would each miss the other's key.
 */
export const insertProxyKey = (key: {
  instance_id: string;
  key_hash: Buffer;
  sealed_key: Buffer;
  others_end_at: Date;
}) =>
  sql`with others as (
        update proxy_keys set expires_at = least(expires_at, ${key.others_end_at}) where instance_id = ${key.instance_id}
      )
      insert into proxy_keys (tenant_id, instance_id, key_hash, sealed_key)
      select tenant_id, id, ${key.key_hash}, ${key.sealed_key} from instances
      where id = ${key.instance_id} and status not in ('terminating', 'terminated')`;

/** The newest key of an instance, sealed. */
export const findSealedProxyKey = (instance_id: string) =>
  sql<{ sealed_key: Buffer }>`
    select sealed_key from proxy_keys where instance_id = ${instance_id} and expires_at is null
    order by created_at desc limit 1`
    .first()
    .map((row) => row?.sealed_key);

export const deleteProxyKeys = (instance_id: string) =>
  sql`delete from proxy_keys where instance_id = ${instance_id}`;
