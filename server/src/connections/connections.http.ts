import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './connections.contract.ts';
import { listAllConnections, listConnections, revokeConnection } from './connections.db.ts';
import { addConnection, type ConnectionServices, changeConnection } from './connections.ts';

export const connectionRoutes = [
  route(contract.listConnections, async ({ q, actor, params: { customer_id }, query }) => {
    const wanted = { customer_id, search: query.search, isNamed: readsCustomers(actor) };
    const list = (limit: number, offset: number) => listConnections(wanted, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.listAllConnections, async ({ q, actor, query }) => {
    const list = (limit: number, offset: number) =>
      listAllConnections(query, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list));
  }),

  route(contract.createConnection, async ({ q, actor, params, body }, services: ConnectionServices) =>
    created(await addConnection(q, services, params.customer_id, body, readsCustomers(actor))),
  ),

  route(contract.updateConnection, async ({ q, actor, params, body }, { keyring }: { keyring: Keyring }) =>
    ok(await changeConnection(q, keyring, params, body, readsCustomers(actor))),
  ),

  route(contract.deleteConnection, async ({ q, params }) => {
    const { revoked } = await q.run({
      customer: customerExists(params.customer_id),
      revoked: revokeConnection(params),
    });
    found('Connection', revoked);
    return noContent();
  }),
];
