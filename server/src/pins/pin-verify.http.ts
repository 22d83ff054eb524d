import { ok, route } from '../platform/http/handler.ts';
import { checkPinRequired } from './pin-policies.ts';
import { getPinSubject } from './pin-subjects.ts';
import * as contract from './pin-verify.contract.ts';
import { checkPinSession, verifyPin } from './pin-verify.ts';
import type { PinServices } from './pins.ts';
import { hidePinsAfter, type TypedPinServices } from './typed-pins.ts';

export const pinVerifyRoutes = [
  route(contract.verifyPin, async (call, services: PinServices & TypedPinServices) => {
    const { q, params, body, sender } = call;
    const { instance_id } = params;
    const subject = await getPinSubject(q, instance_id, body);
    const { pin: guess, purpose = null } = body;
    const verify = () => verifyPin(services, q, instance_id, subject, { guess, purpose });
    return ok(await hidePinsAfter(services, sender, [guess], verify));
  }),

  route(contract.checkPinSession, async ({ q, params: { instance_id }, body, sender }) => {
    const { session_token, purpose = null } = body;
    return ok(await checkPinSession(q, instance_id, { session_token, purpose, sender }));
  }),

  route(contract.checkPinRequired, async ({ q, params: { instance_id }, query }) => {
    const subject = await getPinSubject(q, instance_id, query);
    return ok(await checkPinRequired(q, instance_id, subject));
  }),
];
