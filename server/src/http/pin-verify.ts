import * as contract from '../contract/pin-verify.ts';
import { checkPinRequired } from '../domain/pin-policies.ts';
import { getPinSubject } from '../domain/pin-subjects.ts';
import { checkPinSession, verifyPin } from '../domain/pin-verify.ts';
import { ok, route } from './handler.ts';

export const pinVerifyRoutes = [
  route(contract.verifyPin, async ({ services, q, params: { instance_id }, body }) => {
    const subject = await getPinSubject(q, instance_id, body);
    return ok(await verifyPin(services, q, instance_id, subject, body.pin));
  }),

  route(contract.checkPinSession, async ({ services, q, params: { instance_id }, body }) =>
    ok(await checkPinSession(q, instance_id, body.session_token, services.clock())),
  ),

  route(contract.checkPinRequired, async ({ services, q, params: { instance_id }, query }) => {
    const subject = await getPinSubject(q, instance_id, query);
    return ok(await checkPinRequired(q, instance_id, subject, services.clock()));
  }),
];
