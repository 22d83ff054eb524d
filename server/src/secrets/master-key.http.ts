import { ok, route } from '../platform/http/handler.ts';
import * as contract from './master-key.contract.ts';
import type { MasterKeyRotation } from './master-key-rotation.ts';

interface RotationServices {
  masterKeyRotation: MasterKeyRotation;
}

export const masterKeyRoutes = [
  route(contract.rewrapMasterKey, async (_call, { masterKeyRotation }: RotationServices) =>
    ok(await masterKeyRotation.rewrap()),
  ),

  route(contract.rotateMasterKey, async (_call, { masterKeyRotation }: RotationServices) =>
    ok(await masterKeyRotation.rotate()),
  ),
];
