import { checkClientCertificate, type PresentedCertificate } from '../certificates/client-certificates.ts';
import { getInstanceIdentity } from '../certificates/instance-identities.db.ts';
import { requireRunning, requireTunnel } from '../certificates/instance-identities.ts';
import type { Services } from '../services.ts';
import { type AgentSecrets, readAgentSecrets } from './agent-secrets.ts';

export interface SecretRefresh {
  vpn_ip: string;
  wg_public_key: string;
  /** What the caller proved to hold the key of; undefined: nothing. */
  certificate: PresentedCertificate | undefined;
}

/**
 * The secrets that an instance may use now (specification, sections 4.10 and 7.7). Errors, in this order: not_found,
 * unauthenticated, conflict.
 */
export async function refreshSecrets(
  services: Services,
  tenant_id: string,
  instance_id: string,
  { certificate, ...claim }: SecretRefresh,
): Promise<AgentSecrets> {
  const q = services.db.tenant(tenant_id);
  const now = services.clock();
  const instance = await getInstanceIdentity(q, instance_id);
  await checkClientCertificate(services, certificate, instance.id, now);
  requireTunnel(instance, claim);
  requireRunning(instance);
  return readAgentSecrets(q, services.keyring, instance.id);
}
