import { customerExists } from '../customers/customers.db.ts';
import { identityExists } from '../identities/identities.db.ts';
import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { deleteOwnPin, setOwnPin } from './own-pins.ts';
import { sessionTokenOf } from './pin-gate.ts';
import { getIdentitySubject } from './pin-subjects.ts';
import * as contract from './pins.contract.ts';
import { clearTries, deletePin, findPin, findPinOfUser } from './pins.db.ts';
import { type PinServices, pinStatus, setCustomerPin } from './pins.ts';
import { hidePinsAfter, type TypedPinServices } from './typed-pins.ts';

export const pinRoutes = [
  route(contract.getCustomerPin, async ({ q, params: { customer_id } }) => {
    const { pin } = await q.run({
      customer: customerExists(customer_id),
      pin: findPin({ customer_id, identity_id: null }),
    });
    return ok(pinStatus(pin, q.now));
  }),

  route(contract.setCustomerPin, async ({ q, params: { customer_id }, body }, services: PinServices) => {
    await q.run(customerExists(customer_id));
    const { is_new, status } = await setCustomerPin(services, q, customer_id, body.pin);
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteCustomerPin, async ({ q, params: { customer_id } }) => {
    const owner = { customer_id, identity_id: null };
    await q.run(customerExists(customer_id), deletePin(owner), clearTries(owner));
    return noContent();
  }),

  route(contract.setIdentityPin, async (call, services: PinServices & TypedPinServices) => {
    const { q, params, body, request, sender } = call;
    const { instance_id, identity_id } = params;
    const subject = await getIdentitySubject(q, instance_id, { customer_id: null, identity_id });
    const proof = { session_token: sessionTokenOf(request.headers), current_pin: body.current_pin };
    const change = { instance_id, subject, proof };
    const { is_new, status } = await hidePinsAfter(services, sender, [body.pin, body.current_pin], () =>
      setOwnPin(services, q, change, body.pin),
    );
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteIdentityPin, async ({ q, params, request }, services: PinServices) => {
    const { instance_id, identity_id } = params;
    const subject = await getIdentitySubject(q, instance_id, { customer_id: null, identity_id });
    const proof = { session_token: sessionTokenOf(request.headers) };
    await deleteOwnPin(services, q, { instance_id, subject, proof });
    return noContent();
  }),

  route(contract.resetIdentityPin, async ({ q, params }) => {
    await q.run(
      customerExists(params.customer_id),
      identityExists(params),
      deletePin(params),
      clearTries(params),
    );
    return noContent();
  }),

  route(contract.getMyPin, async ({ actor, q }) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(pinStatus(await q.run(findPinOfUser(actor.user_id)), q.now));
  }),
];
