import type { Queryable } from '../platform/db/queryable.ts';
import { listTunnelPeers, type TunnelPeerRow } from './tunnel.db.ts';

const PAGE_SIZE = 1000;

/** The format of `wg syncconf`, page by page to bound memory. In the system scope. */
export async function* tunnelPeers(q: Queryable): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const peers = await q.run(listTunnelPeers(after, PAGE_SIZE));
    yield peers.map(peerBlock).join('');
    if (peers.length < PAGE_SIZE) return;
    after = peers.at(-1)?.wg_public_key ?? '';
  }
}

const peerBlock = ({ id, tunnel_address, wg_public_key }: TunnelPeerRow) =>
  `[Peer]\n# instance ${id}\nPublicKey = ${wg_public_key}\nAllowedIPs = ${tunnel_address}/32\n\n`;
