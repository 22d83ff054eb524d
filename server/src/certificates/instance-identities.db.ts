import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import { notFound } from '../platform/errors.ts';

/** What an instance is recognised by, beside its certificate. */
export interface InstanceIdentityRow {
  id: string;
  status: InstanceStatus;
  /** Without a mask; null while none is allocated. */
  tunnel_address: string | null;
  /** 32 bytes in base64; null until the instance has enrolled. */
  wg_public_key: string | null;
}

const columns = fragment('id, status, host(tunnel_address) as tunnel_address, wg_public_key');

export async function getInstanceIdentity(q: Queryable, id: string): Promise<InstanceIdentityRow> {
  const [row] = await q.rows(sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id}`);
  if (!row) throw notFound('Instance');
  return row;
}

/** The same, held until the transaction ends: neither is it terminated meanwhile, nor enrolled or renewed by others. */
export async function lockInstanceIdentity(q: Queryable, id: string): Promise<InstanceIdentityRow> {
  const [row] = await q.rows(
    sql<InstanceIdentityRow>`select ${columns} from instances where id = ${id} for no key update`,
  );
  if (!row) throw notFound('Instance');
  return row;
}

/** Fails on the constraint `instances_wg_public_key` when another instance, of whatever tenant, has that key. */
export const setWgPublicKey = (q: Queryable, id: string, wg_public_key: string) =>
  q.rows(sql`update instances set wg_public_key = ${wg_public_key} where id = ${id}`);

export interface TunnelPeerRow {
  id: string;
  tunnel_address: string;
  wg_public_key: string;
}

const peers = fragment('from instances where wg_public_key is not null and tunnel_address is not null');

/** Some of the tunnel's peers in the order of their keys, from after a key on (in the system scope, as the next). */
export const listTunnelPeers = (q: Queryable, after_key: string, limit: number) =>
  q.rows(
    sql<TunnelPeerRow>`
      select id, host(tunnel_address) as tunnel_address, wg_public_key ${peers}
        and wg_public_key > ${after_key} order by wg_public_key limit ${limit}`,
  );

/** 128 bits that differ when the peers do, whatever their number. */
export async function digestTunnelPeers(q: Queryable): Promise<string> {
  const [row] = await q.rows(
    sql<{ digest: string }>`
      select concat_ws(' ', count(*), bit_xor(hashtextextended(peer, 1)), bit_xor(hashtextextended(peer, 2))) as digest
      from (select concat_ws(' ', id, host(tunnel_address), wg_public_key) as peer ${peers}) as p`,
  );
  return row?.digest ?? '';
}
