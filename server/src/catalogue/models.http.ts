import type { Database } from '../platform/db/database.ts';
import { etagOf, isKnown } from '../platform/http/etag.ts';
import { notModified, ok, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import * as contract from './models.contract.ts';
import { listActiveModels, upsertModels } from './models.db.ts';
import { mergeEntries } from './models.ts';

const MAX_AGE_SECONDS = 300;

export const modelRoutes = [
  route(contract.listModels, async ({ query, request }, { db }: { db: Database }) => {
    const body = await db.system.run(listActiveModels(query));
    const etag = etagOf(sha256(JSON.stringify(body)));
    const headers = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
    if (isKnown(request.headers['if-none-match'], etag)) return notModified(headers);
    return { ...ok(body), headers };
  }),

  route(contract.putModels, async ({ body }, { db }: { db: Database }) => {
    const entries = mergeEntries(Array.isArray(body) ? body : body.models);
    return ok({ upserted: await db.system.run(upsertModels(entries)) });
  }),
];
