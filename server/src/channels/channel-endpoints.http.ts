import { dropWaitingOf } from '../conversations/placed-messages.db.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './channel-endpoints.contract.ts';
import { deleteChannelEndpoint, listChannelEndpoints } from './channel-endpoints.db.ts';
import { createChannelEndpoint, updateChannelEndpoint, withWarnings } from './channel-endpoints.ts';

interface EndpointServices {
  keyring: Keyring;
}

export const channelEndpointRoutes = [
  route(contract.listChannelEndpoints, async ({ q, query }) =>
    ok(await page(q, query, (...window) => listChannelEndpoints(query.search, ...window))),
  ),

  route(contract.createChannelEndpoint, async ({ q, body }, { keyring }: EndpointServices) =>
    created(withWarnings(await createChannelEndpoint(q, keyring, body), body)),
  ),

  route(contract.updateChannelEndpoint, async ({ q, params, body }, { keyring }: EndpointServices) =>
    ok(withWarnings(await updateChannelEndpoint(q, keyring, params.endpoint_id, body), body)),
  ),

  route(contract.deleteChannelEndpoint, async ({ q, params }) => {
    const { isDeleted } = await q.run({
      dropped: dropWaitingOf(params.endpoint_id),
      isDeleted: deleteChannelEndpoint(params.endpoint_id),
    });
    found('Channel endpoint', isDeleted);
    return noContent();
  }),
];
