import { NOW, sql } from '../platform/db/sql.ts';

/** A message's conversation, with the addresses that the channel has told of the sender. */
interface ClaimedMessage {
  conversation_id: string;
  customer_id: string;
  channel: string;
  external_id: string;
  phone: string | null;
}

/**
 * Claims a message that asks something of the control plane itself, behind the lock of its conversation. undefined where it
 * was acted on before, and where it belongs to no conversation.
 */
export const claimMessage = (message: { endpoint_id: string; message_id: string }) =>
  sql<ClaimedMessage>`
    with held as materialized (
      select m.id, c.id as conversation_id, c.customer_id, c.channel, c.external_id, c.phone
      from channel_messages m join conversations c on c.id = m.conversation_id
      where m.endpoint_id = ${message.endpoint_id} and m.message_id = ${message.message_id} and m.applied_at is null
      for no key update of c
    )
    update channel_messages m set applied_at = ${NOW}
    from held h where m.id = h.id and m.applied_at is null
    returning h.conversation_id, h.customer_id, h.channel, h.external_id, h.phone`.first();
