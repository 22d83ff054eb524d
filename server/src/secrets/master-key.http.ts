import { ok, route } from '../platform/http/handler.ts';
import * as contract from './master-key.contract.ts';

export const masterKeyRoutes = [
  route(contract.rewrapMasterKey, async ({ services }) => ok(await services.masterKeyRotation.rewrap())),

  route(contract.rotateMasterKey, async ({ services }) => ok(await services.masterKeyRotation.rotate())),
];
