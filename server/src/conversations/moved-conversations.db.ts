import type { MovedAddress } from '../identities/identity-addresses.db.ts';
import { sql } from '../platform/db/sql.ts';

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
