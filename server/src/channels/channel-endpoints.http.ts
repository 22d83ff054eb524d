import { dropWaitingOf } from '../conversations/placed-messages.db.ts';
import { readsCustomers } from '../customers/customer-names.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './channel-endpoints.contract.ts';
import {
  type ChannelEndpointRow,
  deleteChannelEndpoint,
  listChannelEndpoints,
} from './channel-endpoints.db.ts';
import { createChannelEndpoint, updateChannelEndpoint, withWarnings } from './channel-endpoints.ts';
import { receiveWebhook } from './webhook.contract.ts';

interface Addressed {
  settings: { public_url: () => string };
}

interface EndpointServices extends Addressed {
  keyring: Keyring;
}

const shown = <Row extends ChannelEndpointRow>({ settings }: Addressed, row: Row) => ({
  ...row,
  webhook_url: `${settings.public_url()}${receiveWebhook.path}`,
});

export const channelEndpointRoutes = [
  route(contract.listChannelEndpoints, async ({ q, actor, query }, services: Addressed) => {
    const list = (limit: number, offset: number) =>
      listChannelEndpoints(query.search, readsCustomers(actor), limit, offset);
    const rows = await page(q, query, list);
    return ok({ ...rows, items: rows.items.map((row) => shown(services, row)) });
  }),

  route(contract.createChannelEndpoint, async ({ q, actor, body }, services: EndpointServices) => {
    const row = await createChannelEndpoint(q, services.keyring, body, readsCustomers(actor));
    return created(withWarnings(shown(services, row), body));
  }),

  route(contract.updateChannelEndpoint, async ({ q, actor, params, body }, services: EndpointServices) => {
    const { endpoint_id } = params;
    const row = await updateChannelEndpoint(q, services.keyring, endpoint_id, body, readsCustomers(actor));
    return ok(withWarnings(shown(services, row), body));
  }),

  route(contract.deleteChannelEndpoint, async ({ q, params }) => {
    const { isDeleted } = await q.run({
      dropped: dropWaitingOf(params.endpoint_id),
      isDeleted: deleteChannelEndpoint(params.endpoint_id),
    });
    found('Channel endpoint', isDeleted);
    return noContent();
  }),
];
