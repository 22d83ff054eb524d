import type { Queryable } from '../platform/db/queryable.ts';
import { listTunnelPeers, type TunnelPeerRow } from './instance-identities.db.ts';

export { digestTunnelPeers } from './instance-identities.db.ts';

const PEERS_AT_ONCE = 1000;

/**
 * The tunnel's peers as `wg syncconf` reads them, piece by piece: as little is in memory for a hundred thousand as for
 * ten. (In the system scope.)
 */
export async function* tunnelPeers(q: Queryable): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const peers = await listTunnelPeers(q, after, PEERS_AT_ONCE);
    yield peers.map(peerBlock).join('');
    if (peers.length < PEERS_AT_ONCE) return;
    after = peers.at(-1)?.wg_public_key ?? '';
  }
}

const peerBlock = ({ id, tunnel_address, wg_public_key }: TunnelPeerRow) =>
  `[Peer]\n# instance ${id}\nPublicKey = ${wg_public_key}\nAllowedIPs = ${tunnel_address}/32\n\n`;
