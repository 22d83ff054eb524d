import * as contract from '../contract/master-key.ts';
import { ok, route } from './handler.ts';

export const masterKeyRoutes = [
  route(contract.rewrapMasterKey, async ({ services }) => ok(await services.masterKeyRotation.rewrap())),

  route(contract.rotateMasterKey, async ({ services }) => ok(await services.masterKeyRotation.rotate())),
];
