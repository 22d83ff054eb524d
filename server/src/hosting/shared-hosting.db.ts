import { servedCustomers } from '../customers/served-customers.db.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

export interface ConfigLayers {
  customer_id: string;
  instance_id: string;
  timezone: string;
  defaults: JsonObject;
  resolved_config: JsonObject;
  own: JsonObject;
}

/**
 * What a customer's configuration on an instance is merged of; of several deployments the newest counts. Layers of more
 * than `maxBytes` together are left out.
 */
export async function findConfigLayers(
  q: Queryable,
  instance_id: string,
  customer_id: string,
  maxBytes: number,
): Promise<(ConfigLayers & { is_large: boolean }) | undefined> {
  const [row] = await q.rows(
    sql<ConfigLayers & { is_large: boolean }>`
      select customer_id, instance_id, timezone, is_large, case when not is_large then defaults end as defaults,
             case when not is_large then resolved_config end as resolved_config,
             case when not is_large then own end as own
      from (
        select *, octet_length(defaults::text) + octet_length(resolved_config::text) + octet_length(own::text)
          > ${maxBytes}::integer as is_large
        from (
          select d.customer_id, d.instance_id, c.timezone, t.defaults, d.resolved_config, c.config as own
          from deployments d join customers c on c.id = d.customer_id join tenants t on t.id = d.tenant_id
          where d.instance_id = ${instance_id} and d.customer_id = ${customer_id} and d.released_at is null
          order by d.created_at desc, d.id limit 1
        ) newest offset 0
      ) measured`,
  );
  return row;
}

export interface ResolvedDomain {
  customer_id: string;
  customer_email: string | null;
  display_name: string | null;
}

/** Whose hostname it is, among the customers that the instance serves now. */
export async function findHostnameOwner(
  q: Queryable,
  instance_id: string,
  hostname: string,
): Promise<ResolvedDomain | undefined> {
  const [row] = await q.rows(
    sql<ResolvedDomain>`
      select c.id as customer_id, c.email as customer_email,
             coalesce(nullif(c.company_name, ''), c.email) as display_name
      from websites w join customers c on c.id = w.customer_id
      where w.hostname = ${hostname} and c.id in (${servedCustomers} ${instance_id})`,
  );
  return row;
}
