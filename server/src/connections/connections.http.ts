import { ofCustomer } from '../customers/customers.ts';
import { notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './connections.contract.ts';
import { addConnection, listConnections, revokeConnection } from './connections.ts';

export const connectionRoutes = [
  route(contract.listConnections, async ({ q, params: { customer_id }, query }, services: Services) => {
    const now = services.clock();
    const list = pageOf(query, (...window) => listConnections(q, customer_id, now, ...window));
    return ok(await ofCustomer(q, customer_id, list));
  }),

  route(contract.createConnection, async ({ tenant_id, params, body }, services: Services) => {
    const { provider, name = null, credentials, expires_at = null } = body;
    const request = { customer_id: params.customer_id, provider, name, credentials, expires_at };
    const { db, keyring, clock } = services;
    return created(await addConnection(db, keyring, tenant_id, request, clock()));
  }),

  route(contract.deleteConnection, async ({ q, params }, services: Services) => {
    const revoked = await ofCustomer(q, params.customer_id, revokeConnection(q, params, services.clock()));
    if (!revoked) throw notFound('Connection');
    return noContent();
  }),
];
