import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import { checkClientCertificate, type PresentedCertificate } from '../certificates/client-certificates.ts';
import { findInstanceIdentity } from '../certificates/instance-identities.db.ts';
import { requireNewest, requireRunning, requireTunnel } from '../certificates/instance-identities.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { type AgentSecrets, readAgentSecrets, type TenantKeyring } from './agent-secrets.ts';

export interface RefreshServices {
  /** Certificates are not stored per tenant. */
  db: Database;
  keyring: TenantKeyring;
  authority: CertificateAuthority;
}

interface SecretRefresh {
  vpn_ip: string;
  wg_public_key: string;
  generation?: number;
  /** The client certificate of the mTLS connection, if any. */
  certificate: PresentedCertificate | undefined;
}

/** Specification, sections 4.10 and 7.7. Errors, in this order: not_found, unauthenticated, conflict. */
export async function refreshSecrets(
  services: RefreshServices,
  q: TenantQueryable,
  instance_id: string,
  { certificate, generation, ...claim }: SecretRefresh,
): Promise<AgentSecrets> {
  const instance = found('Instance', await q.run(findInstanceIdentity(instance_id)));
  requireNewest(instance, generation);
  await checkClientCertificate(services, q, certificate, instance.id);
  requireTunnel(instance, claim);
  requireRunning(instance);
  return readAgentSecrets(q, services.keyring, instance.id);
}
