import type { TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import { mintEnrollmentToken } from '../secrets/secret-formats.ts';
import { insertEnrollmentToken } from './enrollment-tokens.db.ts';
import { findInstanceIdentity } from './instance-identities.db.ts';

/** Contract, section 8. */
const TOKEN_MS = 15 * 60 * 1000;

export async function addEnrollmentToken(
  q: TenantQueryable,
  instance_id: string,
): Promise<{ enrollment_token: string; expires_at: Date }> {
  const { token, token_hash } = mintEnrollmentToken();
  const expires_at = new Date(q.now.getTime() + TOKEN_MS);
  await q.run(insertEnrollmentToken({ instance_id, token_hash, expires_at }));
  return { enrollment_token: token, expires_at };
}

/** ServiceError conflict when the instance has no address or is being terminated. */
export async function requestEnrollmentToken(
  q: TenantQueryable,
  instance_id: string,
): Promise<{ enrollment_token: string; vpn_ip: string; expires_at: Date }> {
  const { status, tunnel_address: vpn_ip } = found(
    'Instance',
    await q.run(findInstanceIdentity(instance_id)),
  );
  if (vpn_ip === null || status === 'terminating') {
    throw conflict(`An instance that is ${status} cannot enroll`);
  }
  return { ...(await addEnrollmentToken(q, instance_id)), vpn_ip };
}
