import type { Static } from 'typebox';
import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, NOW, sql, wireTime } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { type InstanceRow, instanceColumns } from './instances.db.ts';
import type { InstanceTask } from './tasks.contract.ts';
import { unfinishedTask } from './tasks.db.ts';

/** As its tenant sees it. */
interface InstanceOverview extends InstanceRow {
  customer_name: string | null;
  recipe_name: string | null;
  /** null: the recipe was deleted. */
  latest_revision: number | null;
  last_error: string | null;
  task: Static<typeof InstanceTask> | null;
}

/** The last answer of a tool server; nulls: not asked yet. */
interface ToolServerState {
  name: string;
  ok: boolean | null;
  tools: number | null;
  error: string | null;
  problems: { tool: string | null; reason: string }[];
  at: string | null;
}

interface Spent {
  /** US dollars as decimal text. */
  cost: string;
  tokens: number;
}

/** This month's. `customer`: all instances of the customer together. */
export interface InstanceSpending {
  instance: Spent;
  customer: Spent;
  resets_at: string;
}

interface InstanceDetailRow extends InstanceOverview {
  mcp_servers: ToolServerState[];
  resolved_config: JsonObject;
  provenance: JsonObject;
  /** null: deployed by an earlier version of the service. */
  effects: Record<string, string> | null;
  spending: InstanceSpending;
}

/** Columns of an instance `i`, without the customer's name. */
const overviewColumns = fragment(`${instanceColumns.text},
  (select name from recipes where recipes.id = i.recipe_id) as recipe_name,
  (select revision from recipes where recipes.id = i.recipe_id and deleted_at is null) as latest_revision,
  case when status = 'failed' then (
    select message from instance_events e
    where e.tenant_id = i.tenant_id and e.instance_id = i.id and "to" = 'failed' and "from" is distinct from 'failed'
    order by e.id desc limit 1) end as last_error,
  ${unfinishedTask.text} as task`);

interface InstanceFilter {
  /** Part of the hostname; empty: all. */
  search: string;
  /** null: all. */
  statuses: readonly InstanceStatus[] | null;
  /** True: only those that are not terminated. */
  isLive: boolean;
  customer_id: string | null;
  recipe_id: string | null;
}

/** @param readsCustomers shows the e-mail address of customers without a name */
export const listInstances = (
  filter: InstanceFilter,
  readsCustomers: boolean,
  limit: number,
  offset: number,
) =>
  sql<InstanceOverview & { total: number }>`
    select ${overviewColumns},
           customer_name_of(i.customer_id, ${readsCustomers}) as customer_name,
           count(*) over () as total
    from instances i
    where contains_text(${filter.search}, hostname)
      and (${filter.statuses}::text[] is null or status = any (${filter.statuses}))
      and (not ${filter.isLive}::boolean or status <> 'terminated')
      and (${filter.recipe_id}::uuid is null or recipe_id = ${filter.recipe_id})
      and (${filter.customer_id}::uuid is null or exists (
        select from deployments d where d.instance_id = i.id and d.customer_id = ${filter.customer_id}))
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** The tool servers in the configurations of an instance's customers, with their last answers. */
const toolServers = fragment(`(
  select coalesce(json_agg(json_build_object('name', n.name, 'ok', s.ok, 'tools', s.tools, 'error', s.error,
                                             'problems', coalesce(s.problems, '[]'), 'at', ${wireTime('s.at')}) order by n.name), '[]')
  from (
    select distinct e ->> 'name' as name from served_deployments d, jsonb_array_elements(
      case jsonb_typeof(d.resolved_config -> 'mcp_servers') when 'array' then d.resolved_config -> 'mcp_servers' end) e
    where d.instance_id = i.id and jsonb_typeof(e -> 'name') = 'string'
      and jsonb_typeof(e -> 'url') = 'string') n
  left join tool_servers s on s.instance_id = i.id and s.name = n.name) as mcp_servers`);

/** One row of spending in the month `m`. @param whose its key besides tenant and month */
const spentBy = (whose: string) => `(
  select json_build_object('cost', trim_scale(coalesce(sum(cost), 0))::text, 'tokens', coalesce(sum(tokens), 0))
  from llm_spending where tenant_id = i.tenant_id and month = m.begins::date and ${whose})`;

const spending = fragment(`json_build_object(
  'instance', ${spentBy('instance_id = i.id and customer_id is null')},
  'customer', ${spentBy('customer_id = i.customer_id and instance_id is null')},
  'resets_at', ${wireTime(`m.begins + interval '1 month'`)}) as spending`);

export const findInstanceDetail = (id: string, readsCustomers: boolean) =>
  sql<InstanceDetailRow>`
    select ${overviewColumns}, ${toolServers}, resolved_config, provenance, effects, ${spending},
           customer_name_of(i.customer_id, ${readsCustomers}) as customer_name
    from instances i
    cross join (select date_trunc('month', ${NOW}::timestamptz at time zone 'UTC') as begins) m
    where id = ${id}`.first();
