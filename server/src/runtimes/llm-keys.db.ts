import { sql } from '../platform/db/sql.ts';
import { KEY_OWNER, type KeyOwner } from './proxy-keys.db.ts';

/** In the system scope. */
export const findLlmKeyOwner = (key_hash: Buffer) =>
  sql<KeyOwner>`
    select ${KEY_OWNER} from llm_keys k
    where key_hash = ${key_hash} and exists (select from tenants t where t.id = tenant_id and t.is_active)`.first();

/** A key for one start; it replaces the one of the start before. */
export const replaceLlmKey = (instance_id: string, key_hash: Buffer) =>
  sql`insert into llm_keys (instance_id, tenant_id, key_hash) values (${instance_id}, current_tenant(), ${key_hash})
      on conflict (instance_id) do update set key_hash = excluded.key_hash, created_at = now()`;

/** Keeps the key when the runtime is wanted again. */
export const endLlmKey = (instance_id: string) =>
  sql`delete from llm_keys k using runtimes r
      where k.instance_id = ${instance_id} and r.instance_id = k.instance_id and not r.wanted`;

/** In the system scope. `has_provider`: the tenant or the operator has a provider. */
export const findModelsOf = (instance_id: string) =>
  sql<{ model_policy: unknown; has_provider: boolean }>`
    select resolved_config -> 'model_policy' as model_policy,
           exists (select from llm_providers)
             or exists (select from tenant_llm_providers p where p.tenant_id = i.tenant_id) as has_provider
    from instances i where id = ${instance_id}`.first();
