import { findInstanceRuntime } from '../instances/instances.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import type { TenantKeyring } from './agent-secrets.ts';
import { addProxyKey } from './proxy-keys.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { sendSecrets } from './runtimes.ts';

export interface RotationServices {
  keyring: TenantKeyring;
  runtimes: RuntimeClient;
  log: Log;
}

/** Also sends the new key to a running runtime. */
export async function rotateProxyKey(
  services: RotationServices,
  q: TenantQueryable,
  instance_id: string,
): Promise<string> {
  const runtime = found('Instance', await q.run(findInstanceRuntime(instance_id)));
  const key = await addProxyKey(services, q, instance_id);
  if (runtime.runtime_address) {
    // Not an error: the old key works for ten more minutes.
    await sendSecrets(services, q, runtime).catch((error: unknown) => {
      const ids = { tenant_id: q.tenant_id, instance_id };
      services.log.warn({ ...ids, err: error }, 'the runtime was not told of its new proxy key');
    });
  }
  return key;
}
