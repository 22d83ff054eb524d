import { tenantScope } from '../platform/db/queryable.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import {
  type ChannelMessageRow,
  existsChannelMessage,
  getMessagePriority,
  reviveMessage,
} from './channel-messages.db.ts';
import { giveUpAt } from './message-deadline.ts';

export { listChannelMessages } from './channel-messages.db.ts';

/** Has a message that was given up forwarded again. The row and its job are committed together. */
export const retryMessage = (
  { db, queue, clock }: Services,
  tenant_id: string,
  id: string,
): Promise<ChannelMessageRow> =>
  db.transaction(tenantScope(tenant_id), async (tx) => {
    const message = await reviveMessage(tx, id, giveUpAt(clock()));
    if (!message) {
      throw (await existsChannelMessage(tx, id))
        ? conflict('Only a dead message can be retried')
        : notFound('Channel message');
    }
    const conversation = `${message.endpoint_id}:${message.external_id}`;
    const data = { tenant_id, instance_id: message.instance_id, channel_message_id: message.id };
    const priority = await getMessagePriority(tx);
    await queue.enqueue(tx, [{ name: 'forward_message', data, conversation, priority }]);
    return message;
  });
