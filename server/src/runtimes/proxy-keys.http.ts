import { instanceExists } from '../instances/instances.db.ts';
import { created, noContent, route } from '../platform/http/handler.ts';
import { type RotationServices, rotateProxyKey } from './proxy-key-rotation.ts';
import * as contract from './proxy-keys.contract.ts';
import { deleteProxyKeys } from './proxy-keys.db.ts';

export const proxyKeyRoutes = [
  route(contract.createProxyKey, async ({ q, params }, services: RotationServices) =>
    created({ proxy_key: await rotateProxyKey(services, q, params.instance_id) }),
  ),

  route(contract.deleteProxyKey, async ({ q, params }) => {
    await q.run(instanceExists(params.instance_id), deleteProxyKeys(params.instance_id));
    return noContent();
  }),
];
