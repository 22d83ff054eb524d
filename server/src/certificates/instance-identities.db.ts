import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, sql } from '../platform/db/sql.ts';

export interface InstanceIdentityRow {
  id: string;
  status: InstanceStatus;
  /** Without a mask; null while no address is allocated. */
  tunnel_address: string | null;
  /** 32 bytes in base64; null until the instance has enrolled. */
  wg_public_key: string | null;
  runtime_generation: number;
}

const columns = fragment(
  `id, status, host(tunnel_address) as tunnel_address, wg_public_key,
  (select generation from runtime_states where instance_id = id) as runtime_generation`,
);

export const findInstanceIdentity = (id: string) =>
  sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id}`.first();

/** Excludes termination, enrollment and renewal until the transaction ends. */
export const lockInstanceIdentity = (id: string) =>
  sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id} for no key update`.first();
