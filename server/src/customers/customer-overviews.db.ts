import type { RowOf } from '../platform/db/rows.ts';
import { fragment, sql, wireTime } from '../platform/db/sql.ts';
import type { Customer, CustomerDetail, CustomerSort } from './customers.contract.ts';

interface CustomerSearch {
  /** Part of the e-mail address; empty for all. */
  search: string;
  /** A part of the e-mail address or the company's name; empty for all customers. */
  q: string;
  sort_by: CustomerSort;
  sort_dir: 'asc' | 'desc';
}

const itemColumns =
  fragment(`c.id, c.email, c.company_name, c.country_code, c.currency, c.timezone, c.created_at,
  i.instance_count, i.running_instance_count,
  s.subscription_count, s.active_subscription_count, s.latest_subscription_status`);

/** distinct, because several deployments may be on one instance. */
const servingInstances = fragment(`(
    select distinct d.instance_id from served_deployments d
    where d.tenant_id = c.tenant_id and d.customer_id = c.id
  ) d join instances i on i.id = d.instance_id and i.status <> 'terminated'`);

const aggregates = fragment(`
  cross join lateral (
    select count(*) as instance_count, count(*) filter (where i.status = 'running') as running_instance_count
    from ${servingInstances.text}
  ) i
  cross join lateral (
    select count(*) as subscription_count,
           count(*) filter (where s.status = 'active') as active_subscription_count,
           (array_agg(s.status order by s.created_at desc, s.id))[1] as latest_subscription_status
    from subscriptions s where s.tenant_id = c.tenant_id and s.customer_id = c.id
  ) s`);

/** Three of four keys are null in every row. */
const order = fragment('moment_asc, moment_desc desc, words_asc, words_desc desc nulls last, id');

const instanceJson =
  fragment(`json_build_object('id', i.id, 'status', i.status, 'hosting_mode', i.hosting_mode,
  'hostname', i.hostname, 'template_name', i.template_name, 'region_id', i.region_id,
  'created_at', ${wireTime('i.created_at')})`);

const subscriptionJson =
  fragment(`json_build_object('id', s.id, 'tenant_id', s.tenant_id, 'customer_name', coalesce(nullif(c.company_name, ''), c.email),
  'customer_id', s.customer_id, 'status', s.status, 'plan', s.plan,
  'current_period_end', ${wireTime('s.current_period_end')},
  'created_at', ${wireTime('s.created_at')}, 'updated_at', ${wireTime('s.updated_at')})`);

/** Counts only for the page. Texts sort by code point, the same on every database. */
export const listCustomers = (by: CustomerSearch, limit: number, offset: number) =>
  sql<RowOf<typeof Customer> & { total: number }>`
      with matching as not materialized (
        select * from customers
        where contains_text(${by.search}, email)
          and contains_text(${by.q}, email, company_name)
      )
      select ${itemColumns}, (select count(*) from matching) as total
      from (
        select c.*, keys.* from matching c
        cross join lateral (
          select case ${by.sort_by}::text when 'created_at' then c.created_at
                                          when 'updated_at' then c.updated_at end as moment,
                 case ${by.sort_by}::text when 'email' then lower(c.email)
                                          when 'company_name' then lower(c.company_name) end collate "C" as words
        ) k
        cross join lateral (
          select case when ${by.sort_dir}::text = 'asc' then k.moment end as moment_asc,
                 case when ${by.sort_dir}::text = 'desc' then k.moment end as moment_desc,
                 case when ${by.sort_dir}::text = 'asc' then k.words end as words_asc,
                 case when ${by.sort_dir}::text = 'desc' then k.words end as words_desc
        ) keys
        order by ${order} limit ${limit} offset ${offset}
      ) c ${aggregates}
      order by ${order}`;

export const findCustomer = (id: string) =>
  sql<RowOf<typeof CustomerDetail>>`
      select ${itemColumns}, c.locale, c.payments_customer_id, c.updated_at, il.instances, sl.subscriptions
      from customers c ${aggregates}
      cross join lateral (
        select coalesce(json_agg(${instanceJson} order by i.created_at desc, i.id), '[]') as instances
        from ${servingInstances}
      ) il
      cross join lateral (
        select coalesce(json_agg(${subscriptionJson} order by s.created_at desc, s.id), '[]') as subscriptions
        from subscriptions s where s.tenant_id = c.tenant_id and s.customer_id = c.id
      ) sl
      where c.id = ${id}`.first();
