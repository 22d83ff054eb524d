import * as contract from '../contract/pin-policies.ts';
import { changePinPolicy, getPinPolicy } from '../domain/pin-policies.ts';
import { ok, route } from './handler.ts';

export const pinPolicyRoutes = [
  route(contract.getPinPolicy, async ({ q, params }) => ok(await getPinPolicy(q, params.instance_id))),

  route(contract.updatePinPolicy, async ({ services, q, params, body }) =>
    ok(await changePinPolicy(q, params.instance_id, body, services.clock())),
  ),
];
