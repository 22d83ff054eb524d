import { fragment, sql } from '../platform/db/sql.ts';

export interface TunnelPeerRow {
  id: string;
  tunnel_address: string;
  wg_public_key: string;
}

const peers = fragment('from instances where wg_public_key is not null and tunnel_address is not null');

/** Ordered by key. The statements of this file run in the system scope. */
export const listTunnelPeers = (after_key: string, limit: number) =>
  sql<TunnelPeerRow>`
    select id, host(tunnel_address) as tunnel_address, wg_public_key ${peers}
      and wg_public_key > ${after_key} order by wg_public_key limit ${limit}`;

/** Changes when a peer does. */
export const digestTunnelPeers = () =>
  sql<{ digest: string }>`
    select concat_ws(' ', count(*), bit_xor(hashtextextended(peer, 1)), bit_xor(hashtextextended(peer, 2))) as digest
    from (select concat_ws(' ', id, host(tunnel_address), wg_public_key) as peer ${peers}) as p`
    .one()
    .map(({ digest }) => digest);
