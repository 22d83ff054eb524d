import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists, findCountry } from '../customers/customers.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './identities.contract.ts';
import { deleteIdentity, listIdentities } from './identities.db.ts';
import { addIdentity, changeIdentity, readIdentity } from './identities.ts';
import { findServedIdentity } from './identity-addresses.db.ts';
import { matchesFor } from './known-addresses.ts';
import { matchesOf } from './phone-numbers.ts';
import type { ReplyKeyring } from './sealed-replies.ts';

interface IdentityServices {
  keyring: ReplyKeyring;
}

export const identityRoutes = [
  route(
    contract.listIdentities,
    async ({ q, actor, params: { customer_id }, query }, { keyring }: IdentityServices) => {
      const { channel, external_id } = query;
      const country = external_id === undefined ? null : await q.run(findCountry(customer_id));
      const external_ids =
        external_id === undefined ? null : matchesOf(channel ?? 'chatapp', external_id, [country]);
      const filter = { channel, external_ids };
      const list = (limit: number, offset: number) =>
        listIdentities(customer_id, filter, readsCustomers(actor), limit, offset);
      const { items, ...position } = await page(q, query, list, customerExists(customer_id));
      return ok({ ...position, items: await Promise.all(items.map((row) => readIdentity(keyring, q, row))) });
    },
  ),

  route(contract.createIdentity, async ({ q, actor, params, body }, { keyring }: IdentityServices) => {
    const row = await addIdentity(q, { ...body, ...params }, readsCustomers(actor));
    return created(await readIdentity(keyring, q, row));
  }),

  route(contract.updateIdentity, async ({ q, actor, params, body }, { keyring }: IdentityServices) => {
    const row = await changeIdentity(q, params, body, readsCustomers(actor));
    return ok(await readIdentity(keyring, q, row));
  }),

  route(contract.deleteIdentity, async ({ q, params }) => {
    const { deleted } = await q.run({
      customer: customerExists(params.customer_id),
      deleted: deleteIdentity(params),
    });
    found('Identity', deleted);
    return noContent();
  }),

  route(contract.lookUpIdentity, async ({ q, params, query: { channel, external_id } }) => {
    const { instance_id } = params;
    const external_ids = await matchesFor(q, instance_id, channel, external_id);
    return ok(found('Identity', await q.run(findServedIdentity(instance_id, channel, external_ids))));
  }),
];
