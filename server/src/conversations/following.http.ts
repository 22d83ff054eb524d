import type { Static } from 'typebox';
import type { Notifications } from '../platform/db/notifications.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { EventSource, StreamEvent } from '../platform/http/event-stream.ts';
import { type ConversationServices, readEach } from './conversations.ts';
import type { Message } from './messages.contract.ts';
import { isConversation, listChangedMessages } from './messages.db.ts';

const DELETED = 'The conversation was deleted';

/**
 * The changes of a conversation's messages. When the conversation is deleted, answers that were still queued are reported as
 * failed, because their rows are gone, and the stream ends.
 */
export function followConversation(
  services: ConversationServices & { notifications: Notifications },
  q: TenantQueryable,
  conversation_id: string,
): EventSource {
  const queued = new Map<string, Static<typeof Message>>();
  let isOver = false;
  let hasMore = false;

  const changesAfter = async (after: number, limit: number): Promise<StreamEvent[] | undefined> => {
    const [exists, rows] = await q.run(
      isConversation(conversation_id),
      listChangedMessages(conversation_id, after, limit),
    );
    if (!exists) return undefined;
    hasMore = (rows[0]?.found ?? 0) > rows.length;
    const messages = await readEach(services, q, conversation_id, rows);
    return messages.map((data, index) => ({ id: rows[index]?.change ?? after, event: 'message', data }));
  };

  return {
    read: async (after, limit) => {
      const events = await changesAfter(after, limit);
      if (!events) {
        isOver = true;
        return [...queued.values()].map((message, index) => ({
          id: after + 1 + index,
          event: 'message',
          data: { ...message, status: 'failed', error: DELETED },
        }));
      }
      for (const { data } of events as { data: Static<typeof Message> }[]) {
        if (data.status === 'queued') queued.set(data.id, data);
        else queued.delete(data.id);
      }
      return events;
    },
    subscribe: (wake) =>
      services.notifications.subscribe('conversations', (id) => {
        if (id === conversation_id) wake();
      }),
    isOver: () => isOver,
    hasMore: () => hasMore,
  };
}
