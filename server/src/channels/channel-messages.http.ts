import { holdPlaces, placeMessages } from '../conversations/placed-messages.db.ts';
import { conflict, found } from '../platform/errors.ts';
import { accepted, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './channel-messages.contract.ts';
import {
  channelMessageExists,
  findChannelMessage,
  listChannelMessages,
  messageIsKept,
} from './channel-messages.db.ts';

export const channelMessageRoutes = [
  route(contract.listChannelMessages, async ({ q, query }) => {
    const list = (limit: number, offset: number) => listChannelMessages(query, limit, offset);
    return ok(await page(q, query, list));
  }),

  route(contract.retryChannelMessage, async ({ q, params: { channel_message_id } }) => {
    const { placed, message } = await q.run({
      exists: channelMessageExists(channel_message_id),
      kept: messageIsKept(channel_message_id),
      held: holdPlaces({ id: channel_message_id }),
      placed: placeMessages({ id: channel_message_id }),
      message: findChannelMessage(channel_message_id),
    });
    if (placed.length === 0) throw conflict('Only a dead message can be retried');
    return accepted(found('Channel message', message));
  }),
];
