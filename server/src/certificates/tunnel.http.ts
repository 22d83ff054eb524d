import { Readable } from 'node:stream';
import { etagOf, isKnown } from '../platform/http/etag.ts';
import { notModified, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import * as contract from './tunnel.contract.ts';
import { digestTunnelPeers, tunnelPeers } from './tunnel.ts';

export const tunnelRoutes = [
  route(contract.listTunnelPeers, async ({ request, reply }, services: Services) => {
    const q = services.db.system;
    // Taken before the peers are read: what changes meanwhile makes the next tag another one.
    const etag = etagOf(sha256(await digestTunnelPeers(q)));
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (isKnown(request.headers['if-none-match'], etag)) return notModified(headers);
    await reply
      .headers(headers)
      .type('text/plain; charset=utf-8')
      .send(Readable.from(tunnelPeers(q), { objectMode: true }));
    return undefined;
  }),
];
