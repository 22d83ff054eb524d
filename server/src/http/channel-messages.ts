import * as contract from '../contract/channel-messages.ts';
import { listChannelMessages, retryMessage } from '../domain/channel-messages.ts';
import { accepted, ok, route } from './handler.ts';
import { page } from './page.ts';

export const channelMessageRoutes = [
  route(contract.listChannelMessages, async ({ q, query }) =>
    ok(await page(query, (...window) => listChannelMessages(q, query.status ?? null, ...window))),
  ),

  route(contract.retryChannelMessage, async ({ services, tenant_id, params }) =>
    accepted(await retryMessage(services, tenant_id, params.channel_message_id)),
  ),
];
