import { servedCustomers } from '../customers/served-customers.db.ts';
import { sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** Weakest first. */
interface ConfigLayers {
  customer_id: string;
  instance_id: string;
  timezone: string;
  defaults: JsonObject;
  resolved_config: JsonObject;
  own: JsonObject;
  rules: JsonObject;
}

/** From the customer's newest deployment on the instance. */
export const findConfigLayers = (instance_id: string, customer_id: string) =>
  sql<ConfigLayers>`
    select d.customer_id, d.instance_id, c.timezone, t.defaults, d.resolved_config, c.config as own,
           c.rules
    from served_deployments d join customers c on c.id = d.customer_id join tenants t on t.id = d.tenant_id
    where d.instance_id = ${instance_id} and d.customer_id = ${customer_id}
    order by d.created_at desc, d.id limit 1`.first();

export interface ResolvedDomain {
  customer_id: string;
  customer_email: string | null;
  display_name: string | null;
}

/** Only of customers that the instance serves now. */
export const findHostnameOwner = (instance_id: string, hostname: string) =>
  sql<ResolvedDomain>`
    select c.id as customer_id, c.email as customer_email,
           coalesce(nullif(c.company_name, ''), c.email) as display_name
    from websites w join customers c on c.id = w.customer_id
    where w.hostname = ${hostname} and c.id in (${servedCustomers} ${instance_id})`.first();
