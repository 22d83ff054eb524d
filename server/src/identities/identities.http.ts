import { ofCustomer } from '../customers/customers.ts';
import { notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import * as contract from './identities.contract.ts';
import { addIdentity, deleteIdentity, listIdentities, lookUpIdentity } from './identities.ts';

export const identityRoutes = [
  route(contract.listIdentities, async ({ q, params: { customer_id }, query }) => {
    const list = pageOf(query, (...window) => listIdentities(q, customer_id, query, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createIdentity, async ({ q, params: { customer_id }, body }) => {
    const { channel, external_id, display_name = null, role_override = null } = body;
    const verified = body.verified ?? false;
    const identity = { customer_id, channel, external_id, display_name, role_override, verified };
    return created(await addIdentity(q, identity));
  }),

  route(contract.deleteIdentity, async ({ q, params }) => {
    const deleted = await ofCustomer(q, params.customer_id, deleteIdentity(q, params));
    if (!deleted) throw notFound('Identity');
    return noContent();
  }),

  route(contract.lookUpIdentity, async ({ q, params, query }) =>
    ok(await lookUpIdentity(q, params.instance_id, query)),
  ),
];
