import { accepted, route } from '../platform/http/handler.ts';
import * as contract from './restarts.contract.ts';
import { restartFleet } from './restarts.ts';

export const restartRoutes = [
  route(contract.restartInstances, async ({ system, body }) => {
    const { cluster_id = null, manifest_id = null, tenant_id = null, at_once } = body;
    return accepted(await restartFleet(system, { cluster_id, manifest_id, tenant_id, at_once }));
  }),
];
