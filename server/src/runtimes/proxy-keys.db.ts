import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** Columns of KeyOwner for a key `k`. */
export const KEY_OWNER = fragment(`
  k.tenant_id, k.instance_id, exists (
    select from pin_policies p where p.instance_id = k.instance_id and p.require_sender_token) as requires_sender_token`);

export interface KeyOwner {
  /** An active tenant. */
  tenant_id: string;
  instance_id: string;
  /** By the instance's PIN policy. */
  requires_sender_token: boolean;
}

/** In the system scope. undefined for an expired key. */
export const findProxyKeyOwner = (key_hash: Buffer) =>
  sql<KeyOwner>`
    select ${KEY_OWNER} from proxy_keys k
    where key_hash = ${key_hash} and (expires_at is null or expires_at > ${NOW})
      and exists (select from tenants t where t.id = tenant_id and t.is_active)`.first();

/**
 * Does nothing if the instance is terminating or terminated. Earlier keys expire at `others_end_at` at the latest. Lock the
 * instance first, because concurrent calls would miss each other's key.
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

/** The newest key. */
export const findSealedProxyKey = (instance_id: string) =>
  sql<{ sealed_key: Buffer }>`
    select sealed_key from proxy_keys where instance_id = ${instance_id} and expires_at is null
    order by created_at desc limit 1`
    .first()
    .map((row) => row?.sealed_key);

/** Also deletes the key for the gateway of models. */
export const deleteProxyKeys = (instance_id: string) =>
  sql`with of_models as (delete from llm_keys where instance_id = ${instance_id})
      delete from proxy_keys where instance_id = ${instance_id}`;
