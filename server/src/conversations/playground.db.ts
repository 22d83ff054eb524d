import { NOW, sql } from '../platform/db/sql.ts';

/** `customer_id` is null when a shared instance needs an identity to determine it. */
export const findPlaygroundCustomer = (instance_id: string, identity_id: string | null) =>
  sql<{ customer_id: string | null; identity_is_served: boolean }>`
    select coalesce(d.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end) as customer_id,
           d.customer_id is not null as identity_is_served
    from instances i
    left join identities n on n.id = ${identity_id}
    left join served_deployments d on d.instance_id = i.id and d.customer_id = n.customer_id
    where i.id = ${instance_id} limit 1`.first();

export const insertPlaygroundConversation = (conversation: {
  id: string;
  instance_id: string;
  customer_id: string;
  external_id: string;
  identity_id: string | null;
}) =>
  sql`insert into conversations
        (id, tenant_id, instance_id, customer_id, channel, external_id, identity_id, last_message_at, last_in_at)
      values (${conversation.id}, current_tenant(), ${conversation.instance_id}, ${conversation.customer_id}, 'playground',
              ${conversation.external_id}, ${conversation.identity_id}, ${NOW}, ${NOW})`;

/** Raises 404, which stops the statements after it. */
export const playgroundConversationExists = (instance_id: string, id: string) =>
  sql`select must_exist(exists (
        select from conversations where id = ${id} and instance_id = ${instance_id} and channel = 'playground'),
        'Conversation')`;
