import { notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './channel-endpoints.contract.ts';
import {
  createChannelEndpoint,
  deleteChannelEndpoint,
  listChannelEndpoints,
  updateChannelEndpoint,
} from './channel-endpoints.ts';

export const channelEndpointRoutes = [
  route(contract.listChannelEndpoints, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listChannelEndpoints(q, ...window))),
  ),

  route(contract.createChannelEndpoint, async ({ q, body }, services: Services) =>
    created(await createChannelEndpoint(q, services.keyring, body)),
  ),

  route(contract.updateChannelEndpoint, async ({ q, params, body }, services: Services) =>
    ok(await updateChannelEndpoint(q, services.keyring, params.endpoint_id, body, services.clock())),
  ),

  route(contract.deleteChannelEndpoint, async ({ q, params }) => {
    if (!(await deleteChannelEndpoint(q, params.endpoint_id))) throw notFound('Channel endpoint');
    return noContent();
  }),
];
