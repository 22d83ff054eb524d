import { NOW, sql } from '../platform/db/sql.ts';
import { CONNECTION_ORDER, USABLE_CONNECTIONS } from './outbox.db.ts';

/** A number, and the connection to ask for its templates with. */
interface TemplateOwner {
  phone_number_id: string;
  account_ids: string[];
  /** null: the default of the service. */
  base_url: string | null;
  /** null when the customer has no usable connection. */
  connection_id: string | null;
  sealed_credentials: Buffer | null;
}

export const findTemplateOwner = (endpoint_id: string) =>
  sql<TemplateOwner>`
    select e.phone_number_id, e.business_account_ids as account_ids, r.chatapp_api_base_url as base_url,
           k.id as connection_id, k.sealed_credentials
    from channel_endpoints e
    join instances i on i.id = e.instance_id
    join regions r on r.id = i.region_id
    cross join lateral (
      select coalesce(e.customer_id, case when i.hosting_mode = 'dedicated' then i.customer_id end) as customer_id) c
    left join lateral (
      select id, sealed_credentials ${USABLE_CONNECTIONS}
        and (expires_at is null or expires_at > ${NOW}) ${CONNECTION_ORDER}) k on true
    where e.id = ${endpoint_id}`.first();
