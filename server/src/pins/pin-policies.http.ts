import { found } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
import * as contract from './pin-policies.contract.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import { changePinPolicy } from './pin-policies.ts';

export const pinPolicyRoutes = [
  route(contract.getPinPolicy, async ({ q, params }) =>
    ok(found('Instance', await q.run(findPinPolicy(params.instance_id)))),
  ),

  route(contract.updatePinPolicy, async ({ q, params, body }) =>
    ok(await changePinPolicy(q, params.instance_id, body)),
  ),
];
