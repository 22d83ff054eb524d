import { lockInstance } from '../instances/instances.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import { mintProxyKey } from '../secrets/secret-formats.ts';
import { proxyKeyContext, type TenantKeyring } from './agent-secrets.ts';
import { insertProxyKey } from './proxy-keys.db.ts';

/** A rotated key works this much longer (contract, section 3). */
const OVERLAP_MS = 10 * 60 * 1000;

/** Conflict when the instance is terminating or terminated. @returns the new key */
export async function addProxyKey(
  { keyring }: { keyring: TenantKeyring },
  q: TenantQueryable,
  instance_id: string,
): Promise<string> {
  const { key, key_hash } = mintProxyKey();
  const sealed_key = await keyring.seal(q, key, proxyKeyContext(instance_id));
  const others_end_at = new Date(q.now.getTime() + OVERLAP_MS);
  const [locked] = await q.run(
    lockInstance(instance_id),
    insertProxyKey({ instance_id, key_hash, sealed_key, others_end_at }),
  );
  const status = found('Instance', locked);
  if (status === 'terminating' || status === 'terminated') {
    throw conflict(`An instance that is ${status} has no proxy key`);
  }
  return key;
}
