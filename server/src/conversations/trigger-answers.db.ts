import { NOW, sql } from '../platform/db/sql.ts';
import { type StoredContent, TRIGGER } from './messages.db.ts';

/** A trigger that is answered, and whether the channel takes no free text now. */
export const findTrigger = (conversation_id: string, message_id: string) =>
  sql<StoredContent & { is_closed: boolean }>`
    select m.id, m.sealed_content,
           not is_service_window_open(c.channel, c.last_in_at, ${NOW}) as is_closed
    from channel_messages m join conversations c on c.id = m.conversation_id
    where c.id = ${conversation_id} and m.message_id = ${message_id} and m.author = 'system' and m.kind = ${TRIGGER}`.first();
