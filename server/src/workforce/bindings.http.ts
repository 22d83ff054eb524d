import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './bindings.contract.ts';
import { deleteBinding, listBindings } from './bindings.db.ts';
import { addBinding } from './bindings.ts';
import { staffExists } from './staff.db.ts';

export const bindingRoutes = [
  route(contract.listBindings, async ({ q, actor, params, query }) => {
    const list = (limit: number, offset: number) =>
      listBindings(params, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, customerExists(params.customer_id), staffExists(params)));
  }),

  route(contract.createBinding, async ({ q, actor, params, body }, services: { keyring: Keyring }) => {
    const { channel_type, channel_address, code = null } = body;
    const binding = { ...params, channel_type, channel_address, code };
    return created(await addBinding(q, services.keyring, binding, readsCustomers(actor)));
  }),

  route(contract.deleteBinding, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      person: staffExists(params),
      deleted: deleteBinding(params),
    });
    found('Binding', deleted);
    return noContent();
  }),
];
