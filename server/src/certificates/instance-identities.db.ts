import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** An instance's identity beside its certificate. */
export interface InstanceIdentityRow {
  id: string;
  status: InstanceStatus;
  /** Without a mask; null while no address is allocated. */
  tunnel_address: string | null;
  /** 32 bytes in base64; null until the instance has enrolled. */
  wg_public_key: string | null;
  /** The number of the runtime that is wanted now. */
  runtime_generation: number;
}

const columns = fragment(
  `id, status, host(tunnel_address) as tunnel_address, wg_public_key,
  (select generation from runtime_states where instance_id = id) as runtime_generation`,
);

export const findInstanceIdentity = (id: string) =>
  sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id}`.first();

/** Locks the instance against termination, enrollment and renewal until the transaction ends. */
export const lockInstanceIdentity = (id: string) =>
  sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id} for no key update`.first();
