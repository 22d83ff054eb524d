import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './master-key.contract.ts';

export const masterKeyRoutes = [
  route(contract.rewrapMasterKey, async (_call, services: Services) =>
    ok(await services.masterKeyRotation.rewrap()),
  ),

  route(contract.rotateMasterKey, async (_call, services: Services) =>
    ok(await services.masterKeyRotation.rotate()),
  ),
];
