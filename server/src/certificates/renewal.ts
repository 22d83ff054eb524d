import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../platform/db/queryable.ts';
import { rateLimited, ServiceError, unauthenticated } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import {
  type CertificateRow,
  findLastRenewal,
  findUnusedSuccessor,
  type NewCertificate,
  replaceCertificate,
} from './certificates.db.ts';
import { issueCertificate } from './certificates.ts';
import {
  findPresented,
  identifyClientCertificate,
  noteUse,
  type PresentedCertificate,
  requireGood,
  requireOwn,
} from './client-certificates.ts';
import { getInstanceIdentity, type InstanceIdentityRow } from './instance-identities.db.ts';
import { requireRunning, requireTunnel } from './instance-identities.ts';
import { type IssuedCertificate, presentCertificate } from './issued-certificates.ts';
import type { CertificateRequest } from './x509.port.ts';

/** Specification, section 8. */
const INTERVAL_MS = 60 * 60 * 1000;
/** How long an answer that got lost can be had again (contract, section 8). */
const REPLAY_MS = 15 * 60 * 1000;

export interface Renewal {
  csr_pem: string;
  wg_public_key: string;
  /** What the caller proved to hold the key of; undefined: nothing. */
  certificate: PresentedCertificate | undefined;
}

/** A renewal whose request is being read. */
interface BeingRead extends Omit<Renewal, 'csr_pem'> {
  /** Rejects with what is wrong with it, which is said only in its turn. */
  request: Promise<CertificateRequest>;
}

/** What a renewal is judged by. */
interface Known {
  instance: InstanceIdentityRow;
  /** When the instance renewed last. */
  last: Date | undefined;
  /** Of the certificate that is presented. */
  row: CertificateRow | undefined;
}

/**
 * Replaces the certificate that an instance presents (specification, sections 4.10 and 7.6; contract, sections 8 and
 * 10). Errors, in this order: not_found, unauthenticated, conflict, rate_limited, bad_request, internal.
 *
 * What a lost answer held is looked for once the renewal was refused: so it comes before every refusal, and of two
 * renewals for one key the one that was overtaken finds what the other got.
 */
export async function renew(
  services: Services,
  tenant_id: string,
  instance_id: string,
  { csr_pem, ...presented }: Renewal,
): Promise<IssuedCertificate> {
  const q = services.db.tenant(tenant_id);
  const known = Promise.all([
    getInstanceIdentity(q, instance_id),
    findLastRenewal(q, instance_id, services.clock()),
    findPresented(services, presented.certificate),
  ]);
  // While the database looks: it is asked at the end of this turn of the event loop.
  const request = setImmediate().then(() => services.x509.readRequest(csr_pem));
  request.catch(() => {});
  const renewal = { ...presented, request };
  const [instance, last, row] = await known;
  try {
    const certificate = await renewOnce(services, tenant_id, { instance, last, row }, renewal);
    services.log.info({ tenant_id, instance_id, serial: certificate.serial }, 'certificate renewed');
    return await presentCertificate(services, certificate);
  } catch (refusal) {
    const lost = await findLostAnswer(services, q, instance, renewal);
    if (!lost) throw refusal;
    return presentCertificate(services, lost);
  }
}

async function renewOnce(
  services: Services,
  tenant_id: string,
  { instance, last, row }: Known,
  { certificate, wg_public_key, request }: BeingRead,
): Promise<NewCertificate> {
  const { id: instance_id } = instance;
  const now = services.clock();
  const presented = await requireOwn(services, certificate, row, instance_id, now);
  requireGood(presented, now);
  try {
    requireTunnel(instance, { wg_public_key });
    requireRunning(instance);
    requireInterval(last, now);
    const issued = await issueCertificate(services, { tenant_id, instance_id }, await request, now);
    const q = services.db.tenant(tenant_id);
    if (await replaceCertificate(q, presented.serial, issued)) return issued;
    return await refuseOvertaken(q, instance_id, services.clock());
  } catch (refusal) {
    // What is replaced has its use noted with that; what was refused was used, too.
    await noteUse(services, presented, now);
    throw refusal;
  }
}

/** Another renewal was first; or the instance has enrolled again, or is ended. */
async function refuseOvertaken(q: Queryable, instance_id: string, now: Date): Promise<never> {
  const [instance, last] = await Promise.all([
    getInstanceIdentity(q, instance_id),
    findLastRenewal(q, instance_id, now),
  ]);
  requireRunning(instance);
  requireInterval(last, now);
  throw unauthenticated('The client certificate has been revoked');
}

function requireInterval(last: Date | undefined, now: Date): void {
  const waitMs = last ? last.getTime() + INTERVAL_MS - now.getTime() : 0;
  if (waitMs > 0) throw rateLimited(waitMs / 1000, 'A certificate can be renewed once an hour', 1);
}

/** What the certificate that is presented was replaced by for this key, as long as nobody has used it. */
async function findLostAnswer(
  services: Services,
  q: Queryable,
  instance: InstanceIdentityRow,
  { certificate, wg_public_key, request }: BeingRead,
): Promise<CertificateRow | undefined> {
  const now = services.clock();
  try {
    const { serial } = await identifyClientCertificate(services, certificate, instance.id, now);
    requireTunnel(instance, { wg_public_key });
    const { public_key_sha256 } = await request;
    return await findUnusedSuccessor(q, serial, public_key_sha256, new Date(now.getTime() - REPLAY_MS));
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
