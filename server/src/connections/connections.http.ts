import { ofCustomer } from '../customers/customers.ts';
import { notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './connections.contract.ts';
import { addConnection, listConnections, revokeConnection } from './connections.ts';

export const connectionRoutes = [
  route(contract.listConnections, async ({ q, services, params: { customer_id }, query }) => {
    const now = services.clock();
    const list = page(query, (...window) => listConnections(q, customer_id, now, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createConnection, async ({ services, tenant_id, params, body }) => {
    const { provider, name = null, credentials, expires_at = null } = body;
    const request = { customer_id: params.customer_id, provider, name, credentials, expires_at };
    const { db, keyring, clock } = services;
    return created(await addConnection(db, keyring, tenant_id, request, clock()));
  }),

  route(contract.deleteConnection, async ({ q, services, params }) => {
    const revoked = await ofCustomer(q, params.customer_id, revokeConnection(q, params, services.clock()));
    if (!revoked) throw notFound('Connection');
    return noContent();
  }),
];
