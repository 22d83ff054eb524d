import { Readable } from 'node:stream';
import type { Database } from '../platform/db/database.ts';
import { etagOf, isKnown } from '../platform/http/etag.ts';
import { notModified, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import * as contract from './tunnel.contract.ts';
import { digestTunnelPeers } from './tunnel.db.ts';
import { tunnelPeers } from './tunnel.ts';

export const tunnelRoutes = [
  route(contract.listTunnelPeers, async ({ request, reply }, { db }: { db: Database }) => {
    const q = db.system;
    // Read before the peers, so a change in between leads to another tag next time.
    const etag = etagOf(sha256(await q.run(digestTunnelPeers())));
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (isKnown(request.headers['if-none-match'], etag)) return notModified(headers);
    await reply
      .headers(headers)
      .type('text/plain; charset=utf-8')
      .send(Readable.from(tunnelPeers(q), { objectMode: true }));
    return undefined;
  }),
];
