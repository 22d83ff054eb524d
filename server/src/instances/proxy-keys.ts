import type { TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { mintProxyKey } from '../secrets/secret-formats.ts';
import type { Services } from '../services.ts';
import { proxyKeyContext } from './agent-secrets.ts';
import { getInstanceRuntime, lockInstance } from './instances.db.ts';
import { insertProxyKey } from './proxy-keys.db.ts';
import { sendSecrets } from './runtimes.ts';

export { findProxyKeyOwner } from './proxy-keys.db.ts';

/** How long a rotated key still works (contract, section 3). */
const OVERLAP_MS = 10 * 60 * 1000;

/** Gives an instance a new proxy key; conflict once it is being ended. @returns it, for showing once */
export async function addProxyKey(
  services: Services,
  q: TenantQueryable,
  instance_id: string,
): Promise<string> {
  const { key, key_hash } = mintProxyKey();
  const sealed_key = await services.keyring.seal(q, key, proxyKeyContext(instance_id));
  const others_end_at = new Date(services.clock().getTime() + OVERLAP_MS);
  // Issued together: one transaction.
  const [instance] = await Promise.all([
    lockInstance(q, instance_id),
    insertProxyKey(q, { instance_id, key_hash, sealed_key, others_end_at }),
  ]);
  if (!instance) throw notFound('Instance');
  if (instance.status === 'terminating' || instance.status === 'terminated') {
    throw conflict(`An instance that is ${instance.status} has no proxy key`);
  }
  return key;
}

/** Replaces an instance's proxy key; its own runtime, when one runs, is told at once. */
export async function rotateProxyKey(
  services: Services,
  tenant_id: string,
  instance_id: string,
): Promise<string> {
  const q = services.db.tenant(tenant_id);
  const runtime = await getInstanceRuntime(q, instance_id);
  const key = await addProxyKey(services, q, instance_id);
  if (runtime.runtime_address) {
    // The key before works for ten minutes more, so a runtime that cannot be reached now is no reason to fail.
    await sendSecrets(services, q, runtime).catch((error: unknown) =>
      services.log.warn(
        { tenant_id, instance_id, err: error },
        'the runtime was not told of its new proxy key',
      ),
    );
  }
  return key;
}
