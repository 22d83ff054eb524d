import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './pin-policies.contract.ts';
import { changePinPolicy, getPinPolicy } from './pin-policies.ts';

export const pinPolicyRoutes = [
  route(contract.getPinPolicy, async ({ q, params }) => ok(await getPinPolicy(q, params.instance_id))),

  route(contract.updatePinPolicy, async ({ q, params, body }, services: Services) =>
    ok(await changePinPolicy(q, params.instance_id, body, services.clock())),
  ),
];
