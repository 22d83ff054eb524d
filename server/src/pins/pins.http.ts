import { getCustomerId, ofCustomer } from '../customers/customers.ts';
import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import { getPinSubject } from './pin-subjects.ts';
import * as contract from './pins.contract.ts';
import { deletePin, findPin, findPinOfUser, pinStatus, setPin } from './pins.ts';

export const pinRoutes = [
  route(contract.getCustomerPin, async ({ q, params: { customer_id } }, services: Services) => {
    const pin = await ofCustomer(q, customer_id, findPin(q, { customer_id, identity_id: null }));
    return ok(pinStatus(pin, services.clock()));
  }),

  route(contract.setCustomerPin, async ({ q, params, body }, services: Services) => {
    const customer_id = await getCustomerId(q, params.customer_id);
    const owner = { customer_id, identity_id: null };
    const { is_new, status } = await setPin(services, q, owner, body.pin);
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteCustomerPin, async ({ q, params: { customer_id } }) => {
    await ofCustomer(q, customer_id, deletePin(q, { customer_id, identity_id: null }));
    return noContent();
  }),

  route(contract.setIdentityPin, async ({ q, params, body }, services: Services) => {
    const { instance_id, identity_id } = params;
    const subject = await getPinSubject(q, instance_id, { identity_id });
    const { is_new, status } = await setPin(services, q, subject, body.pin);
    return is_new ? created(status) : ok(status);
  }),

  route(contract.deleteIdentityPin, async ({ q, params: { instance_id, identity_id } }) => {
    await deletePin(q, await getPinSubject(q, instance_id, { identity_id }));
    return noContent();
  }),

  route(contract.getMyPin, async ({ actor, q }, services: Services) => {
    if (actor.kind !== 'user') throw unauthenticated();
    return ok(pinStatus(await findPinOfUser(q, actor.user_id), services.clock()));
  }),
];
