import type { MovedAddress } from '../identities/identity-addresses.db.ts';
import { sql } from '../platform/db/sql.ts';

/** Moves a conversation, with its queued messages, to the sender's new address, unless that has a conversation already. */
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
