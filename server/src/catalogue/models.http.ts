import { etagOf, isKnown } from '../platform/http/etag.ts';
import { notModified, ok, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import * as contract from './models.contract.ts';
import { listActiveModels, putModels } from './models.ts';

/** How long a copy of the catalogue may be shown without asking again. */
const MAX_AGE_SECONDS = 300;

export const modelRoutes = [
  route(contract.listModels, async ({ query, request }, services: Services) => {
    const body = await listActiveModels(services.db.system, query.modality ?? null);
    const etag = etagOf(sha256(JSON.stringify(body)));
    const headers = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
    if (isKnown(request.headers['if-none-match'], etag)) return notModified(headers);
    return { ...ok(body), headers };
  }),

  route(contract.putModels, async ({ body }, services: Services) => {
    const entries = Array.isArray(body) ? body : body.models;
    return ok({ upserted: await putModels(services.db.system, entries, services.clock()) });
  }),
];
