import type { HostingMode } from '../catalogue/hosting.contract.ts';
import { sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

interface CallerRow {
  hosting_mode: HostingMode;
  recipe_id: string;
  /** null when the instance does not serve the customer. */
  customer_id: string | null;
  resolved_config: JsonObject | null;
  /** True when the conversation is this customer's on the instance. */
  has_conversation: boolean;
}

/** @param customer_id null: the customer of a dedicated instance */
export const findCaller = (instance_id: string, customer_id: string | null, conversation_id: string | null) =>
  sql<CallerRow>`
    select i.hosting_mode, i.recipe_id, d.customer_id, d.resolved_config,
           exists (select from conversations c where c.id = ${conversation_id} and c.instance_id = i.id
                     and c.customer_id = d.customer_id) as has_conversation
    from instances i
    left join lateral (
      select customer_id, resolved_config from served_deployments
      where instance_id = i.id
        and customer_id = coalesce(${customer_id}, case when i.hosting_mode = 'dedicated' then i.customer_id end)
      order by created_at desc, id limit 1) d on true
    where i.id = ${instance_id}`.first();

/** undefined when the instance does not serve the customer */
export const findServedConfig = (instance_id: string, customer_id: string) =>
  sql<{ resolved_config: JsonObject }>`
    select resolved_config from served_deployments
    where instance_id = ${instance_id} and customer_id = ${customer_id}
    order by created_at desc, id limit 1`
    .first()
    .map((row) => row?.resolved_config);
