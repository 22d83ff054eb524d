import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './connections.contract.ts';
import { listConnections, revokeConnection } from './connections.db.ts';
import { addConnection, changeConnection } from './connections.ts';

export const connectionRoutes = [
  route(contract.listConnections, async ({ q, params: { customer_id }, query }) => {
    const list = (limit: number, offset: number) => listConnections(customer_id, query.search, limit, offset);
    return ok(await page(q, query, list, customerExists(customer_id)));
  }),

  route(contract.createConnection, async ({ q, params, body }, { keyring }: { keyring: Keyring }) =>
    created(await addConnection(q, keyring, params.customer_id, body)),
  ),

  route(contract.updateConnection, async ({ q, params, body }, { keyring }: { keyring: Keyring }) =>
    ok(await changeConnection(q, keyring, params, body)),
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
