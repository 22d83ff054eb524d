import { tenantScope } from '../platform/db/queryable.ts';
import { isUniqueViolation } from '../platform/db/refusals.ts';
import { conflict, unauthenticated } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import { insertCertificate, type NewCertificate, revokeCertificatesOf } from './certificates.db.ts';
import { issueCertificate } from './certificates.ts';
import {
  findEnrolledCertificate,
  findEnrollmentToken,
  spendEnrollmentToken,
} from './enrollment-tokens.db.ts';
import {
  getInstanceIdentity,
  type InstanceIdentityRow,
  lockInstanceIdentity,
  setWgPublicKey,
} from './instance-identities.db.ts';
import { type IssuedCertificate, presentCertificate } from './issued-certificates.ts';

export interface Enrollment {
  enrollment_token: string;
  csr_pem: string;
  wg_public_key: string;
  vpn_ip: string;
}

interface Asked extends Enrollment {
  token_hash: Buffer;
}

/**
 * Gives an instance its certificate and its end of the tunnel, for a token that is good once (contract, section 8).
 * Errors, in this order: conflict for an instance that is ended, unauthenticated for a token or an address that is not
 * its own, bad_request for the CSR, internal when the authority fails, conflict for another instance's tunnel key.
 * Until it has succeeded the token is not spent; after it has, the same token and keys get the same certificate again,
 * while nobody has used it.
 */
export async function enroll(
  services: Services,
  tenant_id: string,
  instance_id: string,
  enrollment: Enrollment,
): Promise<IssuedCertificate> {
  const q = services.db.tenant(tenant_id);
  const asked = { ...enrollment, token_hash: sha256(enrollment.enrollment_token) };
  const now = services.clock();
  const [instance, token] = await Promise.all([
    getInstanceIdentity(q, instance_id),
    findEnrollmentToken(q, asked.token_hash, now),
  ]);
  requireOwn(instance, asked);
  if (token?.instance_id !== instance.id) throw refused();
  const request = await services.x509.readRequest(asked.csr_pem);
  if (token.used_at === null) {
    const certificate = await issueCertificate(
      services,
      { tenant_id, instance_id: instance.id },
      request,
      now,
    );
    if (await record(services, asked, certificate)) {
      services.log.info({ tenant_id, instance_id, serial: certificate.serial }, 'instance enrolled');
      return presentCertificate(services, certificate);
    }
  }
  const { public_key_sha256 } = request;
  const again = await findEnrolledCertificate(q, { ...asked, instance_id, public_key_sha256, now });
  if (!again) throw refused();
  return presentCertificate(services, again);
}

const refused = () => unauthenticated('The enrollment token is not valid');

function requireOwn({ status, tunnel_address }: InstanceIdentityRow, { vpn_ip }: Asked): void {
  if (status === 'terminating' || status === 'terminated') {
    throw conflict(`An instance that is ${status} cannot enroll`);
  }
  if (tunnel_address !== vpn_ip) throw unauthenticated('The tunnel address is not the instance’s');
}

/** @returns false, and keeps nothing, when the token was spent meanwhile */
async function record(services: Services, asked: Asked, certificate: NewCertificate): Promise<boolean> {
  const { token_hash, wg_public_key } = asked;
  const { tenant_id, instance_id, serial, issued_at: now } = certificate;
  try {
    return await services.db.transaction(tenantScope(tenant_id), async (tx) => {
      requireOwn(await lockInstanceIdentity(tx, instance_id), asked);
      const spent = { token_hash, instance_id, certificate_serial: serial, now };
      if (!(await spendEnrollmentToken(tx, spent))) return false;
      await Promise.all([
        revokeCertificatesOf(tx, instance_id, 'superseded', now),
        insertCertificate(tx, certificate),
        setWgPublicKey(tx, instance_id, wg_public_key),
      ]);
      return true;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'instances_wg_public_key')) throw error;
    throw conflict('Another instance has that wg_public_key');
  }
}
