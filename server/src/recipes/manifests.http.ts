import type { Database } from '../platform/db/database.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './manifests.contract.ts';
import { listAllManifests, listManifests, putManifest } from './manifests.db.ts';
import { requireProgram, requireReplaceable } from './manifests.ts';

interface ManifestServices {
  db: Database;
  settings: { replaces_manifest?: boolean };
}

export const manifestRoutes = [
  route(contract.listManifests, async ({ q, query }) => ok(await page(q, query, listManifests))),

  route(contract.listAllManifests, async ({ query }, { db }: { db: Database }) =>
    ok(await page(db.system, query, listAllManifests)),
  ),

  route(contract.putManifest, async ({ params, body }, { db, settings }: ManifestServices) => {
    requireProgram(body.command);
    requireReplaceable(params.manifest_id, settings.replaces_manifest);
    const { is_new, ...manifest } = await db.system.run(putManifest(params.manifest_id, body));
    return is_new ? created(manifest) : ok(manifest);
  }),
];
