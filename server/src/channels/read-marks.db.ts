import { IS_BUILT_IN } from '../instances/instances.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import { USABLE_CONNECTIONS } from './outbox.db.ts';

/** Everything that a conversation's messages are marked as read with. */
interface Reader {
  phone_number_id: string;
  /** null where the region names none. */
  base_url: string | null;
  connection_id: string;
  sealed_credentials: Buffer;
}

/**
 * undefined where nothing can be marked, or the runtime does it itself: one of a manifest's `command` or image.
 * @param replaces_runtime another program runs in place of the service's own where runtimes are processes
 */
export const findReader = (conversation_id: string, replaces_runtime: boolean) =>
  sql<Reader>`
    select e.phone_number_id, r.chatapp_api_base_url as base_url, k.id as connection_id, k.sealed_credentials
    from conversations c
    join instances i on i.id = c.instance_id
    join clusters place on place.id = i.cluster_id
    join regions r on r.id = i.region_id
    join channel_endpoints e on e.id = c.endpoint_id
    left join manifests m on m.id = i.applied_manifest_id
    join lateral (
      select id, sealed_credentials ${USABLE_CONNECTIONS} and refused_at is null
        and (expires_at is null or expires_at > ${NOW}) order by created_at, id limit 1) k on true
    where c.id = ${conversation_id} and case place.engine
      when 'process' then m.command is null and not ${replaces_runtime} else ${IS_BUILT_IN} end`.first();
