import { NOW, sql } from '../platform/db/sql.ts';

interface ClaimedMessage {
  id: string;
  conversation_id: string;
  customer_id: string;
  channel: string;
  addresses: string[];
}

/**
 * Claims a message that the control plane acts on itself, such as STOP, so that it is applied once. Locks its conversation.
 * @returns undefined when it was applied before, or has no conversation
 */
export const claimMessage = (message: { endpoint_id: string; message_id: string }) =>
  sql<ClaimedMessage>`
    with held as materialized (
      select m.id, c.id as conversation_id, c.customer_id, c.channel
      from channel_messages m join conversations c on c.id = m.conversation_id
      where m.endpoint_id = ${message.endpoint_id} and m.message_id = ${message.message_id} and m.applied_at is null
      for no key update of c
    )
    update channel_messages m set applied_at = ${NOW}
    from held h where m.id = h.id and m.applied_at is null
    returning m.id, h.conversation_id, h.customer_id, h.channel, addresses_of(h.conversation_id) as addresses`.first();
