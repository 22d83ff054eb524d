import { NOW, sql } from '../platform/db/sql.ts';
import { CONNECTION_ORDER, USABLE_CONNECTIONS } from './outbox.db.ts';

/** The newest message with the medium, and the connection to fetch it with. */
interface MediaRow {
  id: string;
  sealed_content: Buffer;
  /** null: the default of the service. */
  base_url: string | null;
  /** null when the customer has no usable connection. */
  connection_id: string | null;
  sealed_credentials: Buffer | null;
}

export type MediaOwner = { conversation_id: string } | { instance_id: string };

/** undefined when no message has it, or its content was erased. */
export const findMedia = (owner: MediaOwner, media_hash: Buffer) => {
  const conversation_id = 'conversation_id' in owner ? owner.conversation_id : null;
  const instance_id = 'instance_id' in owner ? owner.instance_id : null;
  return sql<MediaRow>`
    select m.id, m.sealed_content, r.chatapp_api_base_url as base_url, k.id as connection_id, k.sealed_credentials
    from channel_messages m
    join conversations c on c.id = m.conversation_id
    join instances i on i.id = c.instance_id
    join regions r on r.id = i.region_id
    left join channel_endpoints e on e.id = m.endpoint_id
    left join lateral (
      select id, sealed_credentials ${USABLE_CONNECTIONS}
        and (expires_at is null or expires_at > ${NOW}) ${CONNECTION_ORDER}) k on true
    where m.media_hash = ${media_hash} and m.sealed_content is not null
      and (${conversation_id}::uuid is null or c.id = ${conversation_id})
      and (${instance_id}::uuid is null or c.instance_id = ${instance_id})
    order by m.number desc limit 1`.first();
};
