import { ok, route } from '../platform/http/handler.ts';
import { checkPinRequired } from './pin-policies.ts';
import { getPinSubject } from './pin-subjects.ts';
import * as contract from './pin-verify.contract.ts';
import { checkPinSession, verifyPin } from './pin-verify.ts';
import type { PinServices } from './pins.ts';

export const pinVerifyRoutes = [
  route(contract.verifyPin, async ({ q, params: { instance_id }, body }, services: PinServices) => {
    const subject = await getPinSubject(q, instance_id, body);
    return ok(await verifyPin(services, q, instance_id, subject, body.pin));
  }),

  route(contract.checkPinSession, async ({ q, params: { instance_id }, body }) =>
    ok(await checkPinSession(q, instance_id, body.session_token)),
  ),

  route(contract.checkPinRequired, async ({ q, params: { instance_id }, query }) => {
    const subject = await getPinSubject(q, instance_id, query);
    return ok(await checkPinRequired(q, instance_id, subject));
  }),
];
