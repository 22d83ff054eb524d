import type { TenantQueryable } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import { mintEnrollmentToken } from '../secrets/secret-formats.ts';
import type { Services } from '../services.ts';
import { insertEnrollmentToken } from './enrollment-tokens.db.ts';
import { getInstanceIdentity } from './instance-identities.db.ts';

export { findEnrollmentToken } from './enrollment-tokens.db.ts';

/** Contract, section 8. */
const TOKEN_MS = 15 * 60 * 1000;

/** Gives an instance something to enroll with. @returns it, for handing over once, and when it runs out */
export async function addEnrollmentToken(
  { clock }: Pick<Services, 'clock'>,
  q: TenantQueryable,
  instance_id: string,
): Promise<{ enrollment_token: string; expires_at: Date }> {
  const { token, token_hash } = mintEnrollmentToken();
  const now = clock();
  const expires_at = new Date(now.getTime() + TOKEN_MS);
  await insertEnrollmentToken(q, { instance_id, token_hash, now, expires_at });
  return { enrollment_token: token, expires_at };
}

/** The same for an instance that lost everything, with the address that it enrolls by; 409 for one that has none. */
export async function requestEnrollmentToken(
  services: Services,
  tenant_id: string,
  instance_id: string,
): Promise<{ enrollment_token: string; vpn_ip: string; expires_at: Date }> {
  const q = services.db.tenant(tenant_id);
  const { status, tunnel_address: vpn_ip } = await getInstanceIdentity(q, instance_id);
  if (vpn_ip === null || status === 'terminating') {
    throw conflict(`An instance that is ${status} cannot enroll`);
  }
  return { ...(await addEnrollmentToken(services, q, instance_id)), vpn_ip };
}
