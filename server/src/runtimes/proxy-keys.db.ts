import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** The instance of a key `k`, and what its PIN policy says of its senders' tokens. */
export const KEY_OWNER = fragment(`
  k.tenant_id, k.instance_id, exists (
    select from pin_policies p where p.instance_id = k.instance_id and p.require_sender_token) as requires_sender_token`);

/** The active tenant and the instance of a key of a runtime. */
export interface KeyOwner {
  tenant_id: string;
  instance_id: string;
  requires_sender_token: boolean;
}

/** The owner of a valid proxy key (in the system scope). */
export const findProxyKeyOwner = (key_hash: Buffer) =>
  sql<KeyOwner>`
    select ${KEY_OWNER} from proxy_keys k
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

/** Ends every key of an instance, and the one by which its process reaches the models. */
export const deleteProxyKeys = (instance_id: string) =>
  sql`with of_models as (delete from llm_keys where instance_id = ${instance_id})
      delete from proxy_keys where instance_id = ${instance_id}`;
