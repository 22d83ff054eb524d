import { customerExists } from '../customers/customers.db.ts';
import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { getPinSubject } from './pin-subjects.ts';
import * as contract from './pins.contract.ts';
import { deletePin, findPin, findPinOfUser } from './pins.db.ts';
import { type PinServices, pinStatus, setPin } from './pins.ts';

export const pinRoutes = [
  route(contract.getCustomerPin, async ({ q, params: { customer_id } }) => {
    const [, pin] = await q.run(customerExists(customer_id), findPin({ customer_id, identity_id: null }));
    return ok(pinStatus(pin, q.now));
  }),

  route(contract.setCustomerPin, async ({ q, params: { customer_id }, body }, services: PinServices) => {
    await q.run(customerExists(customer_id));
    const { is_new, status } = await setPin(services, q, { customer_id, identity_id: null }, body.pin);
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteCustomerPin, async ({ q, params: { customer_id } }) => {
    await q.run(customerExists(customer_id), deletePin({ customer_id, identity_id: null }));
    return noContent();
  }),

  route(contract.setIdentityPin, async ({ q, params, body }, services: PinServices) => {
    const { instance_id, identity_id } = params;
    const subject = await getPinSubject(q, instance_id, { identity_id });
    const { is_new, status } = await setPin(services, q, subject, body.pin);
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteIdentityPin, async ({ q, params: { instance_id, identity_id } }) => {
    await q.run(deletePin(await getPinSubject(q, instance_id, { identity_id })));
    return noContent();
  }),

  route(contract.getMyPin, async ({ actor, q }) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(pinStatus(await q.run(findPinOfUser(actor.user_id)), q.now));
  }),
];
