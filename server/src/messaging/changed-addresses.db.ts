import type { MovedAddress } from '../identities/identity-addresses.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';

/**
 * Claims a sender's change of address, behind the lock of its conversation. undefined where it was acted on before, and
 * where it belongs to no conversation.
 */
export const claimChange = (message: { endpoint_id: string; message_id: string }) =>
  sql<{ conversation_id: string; customer_id: string; channel: string }>`
    with held as materialized (
      select m.id, c.id as conversation_id, c.customer_id, c.channel
      from channel_messages m join conversations c on c.id = m.conversation_id
      where m.endpoint_id = ${message.endpoint_id} and m.message_id = ${message.message_id} and m.applied_at is null
      for no key update of c
    )
    update channel_messages m set applied_at = ${NOW}
    from held h where m.id = h.id and m.applied_at is null
    returning h.conversation_id, h.customer_id, h.channel`.first();

/**
 * The conversation goes on under the new address unless it has another one there. What is still to be sent goes to the new
 * number.
 */
export const moveConversation = (id: string, { new_phone, new_user_id }: MovedAddress) =>
  sql`update conversations c set phone = coalesce(${new_phone}::text, c.phone), external_id = n.address
      from (
        select id, case when external_id ~ '^[+]?[0-9]+$' then coalesce(${new_phone}::text, ${new_user_id}::text)
                        else coalesce(${new_user_id}::text, external_id) end as address
        from conversations where id = ${id}) n
      where c.id = n.id and not exists (
        select from conversations o
        where o.instance_id = c.instance_id and o.customer_id = c.customer_id and o.channel = c.channel
          and o.external_id = n.address and o.id <> c.id)`;
