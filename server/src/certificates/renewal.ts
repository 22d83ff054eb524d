import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found, rateLimited, ServiceError, unauthenticated } from '../platform/errors.ts';
import {
  type CertificateRow,
  findLastRenewal,
  findUnusedSuccessor,
  type NewCertificate,
} from './certificates.db.ts';
import {
  type IssuedCertificate,
  type IssuingServices,
  issueCertificate,
  toCertificateResponse,
} from './certificates.ts';
import {
  findPresented,
  type PresentedCertificate,
  recordUse,
  requireOwn,
  requireValid,
} from './client-certificates.ts';
import { findInstanceIdentity, type InstanceIdentityRow } from './instance-identities.db.ts';
import { requireNewest, requireRunning, requireTunnel } from './instance-identities.ts';
import { replaceCertificate } from './revocations.db.ts';
import type { X509 } from './x509.port.ts';

/** Specification, section 8. */
const INTERVAL_MS = 60 * 60 * 1000;
/** Contract, section 8. */
const REPLAY_MS = 15 * 60 * 1000;

export interface RenewalServices extends IssuingServices {
  x509: X509;
}

interface Renewal {
  csr_pem: string;
  wg_public_key: string;
  generation?: number;
  /** undefined when none was presented. */
  certificate: PresentedCertificate | undefined;
}

interface Known {
  instance: InstanceIdentityRow;
  last_renewal: Date | undefined;
  presented: CertificateRow | undefined;
}

/**
 * Specification, sections 4.10 and 7.6; contract, sections 8 and 10. Errors, in this order: not_found, unauthenticated,
 * conflict, rate_limited, bad_request, internal.
 *
 * Retries are safe: after a lost response, the now revoked certificate still gets its unused successor for the same key
 * within 15 minutes. Concurrent renewals with one key get the same certificate.
 */
export async function renew(
  services: RenewalServices,
  q: TenantQueryable,
  instance_id: string,
  renewal: Renewal,
): Promise<IssuedCertificate> {
  const [instance, last_renewal, presented] = await q.run(
    findInstanceIdentity(instance_id),
    findLastRenewal(instance_id),
    findPresented(renewal.certificate),
  );
  const known = { instance: found('Instance', instance), last_renewal, presented };
  requireNewest(known.instance, renewal.generation);
  try {
    const certificate = await renewOnce(services, q, known, renewal);
    const { serial, tenant_id } = certificate;
    services.log.info({ tenant_id, instance_id, serial }, 'certificate renewed');
    return await toCertificateResponse(services, certificate);
  } catch (refusal) {
    const issued = await findLostResponse(services, q, known, renewal);
    if (!issued) throw refusal;
    return toCertificateResponse(services, issued);
  }
}

async function renewOnce(
  services: RenewalServices,
  q: TenantQueryable,
  { instance, last_renewal, presented }: Known,
  { certificate, wg_public_key, csr_pem }: Renewal,
): Promise<NewCertificate> {
  const own = await requireOwn(services, certificate, presented, instance.id);
  requireValid(own, q.now);
  try {
    requireTunnel(instance, { wg_public_key });
    requireRunning(instance);
    requireInterval(last_renewal, q.now);
    const request = await services.x509.readRequest(csr_pem);
    const issued = await issueCertificate(services, q, instance.id, request);
    if (await q.run(replaceCertificate(own.serial, issued))) return issued;
    return await throwOvertaken(q, instance.id);
  } catch (refusal) {
    // A refused renewal is a use, too; replaceCertificate records it for the others.
    await recordUse(q, own);
    throw refusal;
  }
}

async function throwOvertaken(q: TenantQueryable, instance_id: string): Promise<never> {
  const [instance, last_renewal] = await q.run(
    findInstanceIdentity(instance_id),
    findLastRenewal(instance_id),
  );
  requireRunning(found('Instance', instance));
  requireInterval(last_renewal, q.now);
  throw unauthenticated('The client certificate has been revoked');
}

function requireInterval(last_renewal: Date | undefined, now: Date): void {
  const waitMs = last_renewal ? last_renewal.getTime() + INTERVAL_MS - now.getTime() : 0;
  if (waitMs > 0) throw rateLimited(waitMs / 1000, 'A certificate can be renewed once an hour', 1);
}

async function findLostResponse(
  services: RenewalServices,
  q: TenantQueryable,
  { instance, presented }: Known,
  { certificate, wg_public_key, csr_pem }: Renewal,
): Promise<CertificateRow | undefined> {
  try {
    const { serial } = await requireOwn(services, certificate, presented, instance.id);
    requireTunnel(instance, { wg_public_key });
    const { public_key_sha256 } = await services.x509.readRequest(csr_pem);
    const since = new Date(q.now.getTime() - REPLAY_MS);
    return await q.run(findUnusedSuccessor(serial, public_key_sha256, since));
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
