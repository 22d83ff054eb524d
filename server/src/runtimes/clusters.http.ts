import { found } from '../platform/errors.ts';
import { accepted, created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './clusters.contract.ts';
import { findCluster, listClusters } from './clusters.db.ts';
import { type ClusterServices, removeCluster, saveCluster } from './clusters.ts';
import { drainCluster } from './drains.ts';

export const clusterRoutes = [
  route(contract.listClusters, async ({ system, query }) => ok(await page(system, query, listClusters))),

  route(contract.getCluster, async ({ system, params }) =>
    ok(found('Cluster', await system.run(findCluster(params.cluster_id)))),
  ),

  route(contract.putCluster, async ({ system, params, body }, services: ClusterServices) => {
    const { is_new, ...cluster } = await saveCluster(services, system, params.cluster_id, body);
    return is_new ? created(cluster) : ok(cluster);
  }),

  route(contract.deleteCluster, async ({ system, params }) => {
    await removeCluster(system, params.cluster_id);
    return noContent();
  }),

  route(contract.drainCluster, async ({ system, params, body: { to = null, force } }) =>
    accepted(await drainCluster(system, params.cluster_id, { to, force })),
  ),
];
