import * as contract from '../contract/identities.ts';
import { ofCustomer } from '../domain/customers.ts';
import { deleteIdentity, insertIdentity, listIdentities } from '../domain/identities.ts';
import { conflict, notFound } from '../errors.ts';
import { created, noContent, ok, route } from './handler.ts';
import { page } from './page.ts';

export const identityRoutes = [
  route(contract.listIdentities, async ({ q, params: { customer_id }, query }) => {
    const list = page(query, (...window) => listIdentities(q, customer_id, query, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createIdentity, async ({ q, params: { customer_id }, body }) => {
    const { channel, external_id, display_name = null, role_override = null, verified } = body;
    const identity = { customer_id, channel, external_id, display_name, role_override, verified };
    const row = await ofCustomer(q, customer_id, insertIdentity(q, identity));
    if (!row) throw conflict('This channel identity belongs to a customer already');
    return created(row);
  }),

  route(contract.deleteIdentity, async ({ q, params }) => {
    const deleted = await ofCustomer(q, params.customer_id, deleteIdentity(q, params));
    if (!deleted) throw notFound('Identity');
    return noContent();
  }),
];
