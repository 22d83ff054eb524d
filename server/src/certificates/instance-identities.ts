import { conflict, unauthenticated } from '../platform/errors.ts';
import type { InstanceIdentityRow } from './instance-identities.db.ts';

interface TunnelClaim {
  wg_public_key: string;
  vpn_ip?: string;
}

/** ServiceError unauthenticated for another tunnel (specification, 7.6, 7.7). */
export function requireTunnel(
  instance: Pick<InstanceIdentityRow, 'wg_public_key' | 'tunnel_address'>,
  { wg_public_key, vpn_ip }: TunnelClaim,
): void {
  if (wg_public_key !== instance.wg_public_key) {
    throw unauthenticated('The wg_public_key is not the instance’s');
  }
  if (vpn_ip !== undefined && vpn_ip !== instance.tunnel_address) {
    throw unauthenticated('The vpn_ip is not the instance’s');
  }
}

/**
 * ServiceError conflict for a replaced runtime, such as that of a host that was cut off. Without a generation any
 * runtime is accepted.
 */
export function requireNewest(
  { runtime_generation }: Pick<InstanceIdentityRow, 'runtime_generation'>,
  generation: number | undefined,
): void {
  if (generation !== undefined && generation < runtime_generation) throw conflict('runtime_replaced');
}

export function requireRunning({ status }: Pick<InstanceIdentityRow, 'status'>): void {
  if (status !== 'running') throw conflict(`The instance is ${status}, not running`);
}
