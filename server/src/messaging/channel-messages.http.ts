import { accepted, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './channel-messages.contract.ts';
import { listChannelMessages, retryMessage } from './channel-messages.ts';

export const channelMessageRoutes = [
  route(contract.listChannelMessages, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listChannelMessages(q, query.status ?? null, ...window))),
  ),

  route(contract.retryChannelMessage, async ({ tenant_id, params }, services: Services) =>
    accepted(await retryMessage(services, tenant_id, params.channel_message_id)),
  ),
];
