import { setWgPublicKey } from '../instances/instances.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { conflict, found, unauthenticated } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { insertCertificate, type NewCertificate } from './certificates.db.ts';
import {
  type IssuedCertificate,
  type IssuingServices,
  issueCertificate,
  toCertificateResponse,
} from './certificates.ts';
import {
  findEnrolledCertificate,
  findEnrollmentToken,
  spendEnrollmentToken,
} from './enrollment-tokens.db.ts';
import {
  findInstanceIdentity,
  type InstanceIdentityRow,
  lockInstanceIdentity,
} from './instance-identities.db.ts';
import { requireNewest } from './instance-identities.ts';
import { revokeCertificatesOf } from './revocations.db.ts';
import type { X509 } from './x509.port.ts';

export interface EnrollmentServices extends IssuingServices {
  x509: X509;
}

interface Enrollment {
  enrollment_token: string;
  csr_pem: string;
  wg_public_key: string;
  vpn_ip: string;
  generation?: number;
}

interface HashedEnrollment extends Enrollment {
  token_hash: Buffer;
}

/**
 * Contract, section 8. Errors, in this order: conflict for an ended instance, unauthenticated for a token or address
 * that is not its own, bad_request for the CSR, internal when the authority fails, conflict for another instance's
 * tunnel key.
 *
 * Retries are safe: a failure does not spend the token, and the same token and keys return the same certificate until
 * it has been used.
 */
export async function enroll(
  services: EnrollmentServices,
  q: TenantDb,
  instance_id: string,
  enrollment: Enrollment,
): Promise<IssuedCertificate> {
  const hashed = { ...enrollment, token_hash: sha256(enrollment.enrollment_token) };
  const [row, token] = await q.run(findInstanceIdentity(instance_id), findEnrollmentToken(hashed.token_hash));
  requireOwn(found('Instance', row), hashed);
  if (token?.instance_id !== instance_id) throw invalidToken();
  const request = await services.x509.readRequest(enrollment.csr_pem);
  if (token.used_at === null) {
    const certificate = await issueCertificate(services, q, instance_id, request);
    if (await storeCertificate(q, hashed, certificate)) {
      const { serial, tenant_id } = certificate;
      services.log.info({ tenant_id, instance_id, serial }, 'instance enrolled');
      return toCertificateResponse(services, certificate);
    }
  }
  const { public_key_sha256 } = request;
  const issued = await q.run(findEnrolledCertificate({ ...hashed, instance_id, public_key_sha256 }));
  if (!issued) throw invalidToken();
  return toCertificateResponse(services, issued);
}

const invalidToken = () => unauthenticated('The enrollment token is not valid');

function requireOwn(instance: InstanceIdentityRow, { vpn_ip, generation }: Enrollment): void {
  const { status, tunnel_address } = instance;
  if (status === 'terminating' || status === 'terminated') {
    throw conflict(`An instance that is ${status} cannot enroll`);
  }
  requireNewest(instance, generation);
  if (tunnel_address !== vpn_ip) throw unauthenticated('The tunnel address is not the instance’s');
}

/** @returns false, with nothing changed, when a concurrent enrollment spent the token */
async function storeCertificate(
  q: TenantDb,
  enrollment: HashedEnrollment,
  certificate: NewCertificate,
): Promise<boolean> {
  const { token_hash, wg_public_key } = enrollment;
  const { instance_id, serial: certificate_serial } = certificate;
  try {
    return await q.transaction(async (tx) => {
      requireOwn(found('Instance', await tx.run(lockInstanceIdentity(instance_id))), enrollment);
      const isSpent = await tx.run(spendEnrollmentToken({ token_hash, instance_id, certificate_serial }));
      if (!isSpent) return false;
      await tx.run(
        revokeCertificatesOf(instance_id, 'superseded'),
        insertCertificate(certificate),
        setWgPublicKey(instance_id, wg_public_key),
      );
      return true;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'instances_wg_public_key')) throw error;
    throw conflict('Another instance has that wg_public_key');
  }
}
