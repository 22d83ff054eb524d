import Type from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import type { Demand } from './demands.contract.ts';
import { MOST_REQUIREMENTS, Requirement } from './requirements.contract.ts';

export type RequirementRow = RowOf<typeof Requirement>;

export interface RequirementKey {
  customer_id: string;
  key: string;
}

/** null: counts for every one. */
export interface RequirementPlace {
  site: string | null;
  job_id: string | null;
  title: string | null;
}

const columns = fragment(columnsOf(Type.Omit(Requirement, ['customer_name']), 'r.').text);

export const listRequirements = (customer_id: string, isNamed: boolean, limit: number, offset: number) =>
  sql<RequirementRow & { total: number }>`
    select ${columns}, count(*) over () as total, customer_name_of(r.customer_id, ${isNamed}) as customer_name
    from requirements r where customer_id = ${customer_id} order by key limit ${limit} offset ${offset}`;

export const findRequirement = ({ customer_id, key }: RequirementKey, isNamed: boolean) =>
  sql<RequirementRow>`
    select ${columns}, customer_name_of(r.customer_id, ${isNamed}) as customer_name
    from requirements r where customer_id = ${customer_id} and key = ${key}`.first();

/** Raises 409, which stops the statements after it. Needs lockCustomer before. */
export const hasRoomForRequirement = ({ customer_id, key }: RequirementKey) =>
  sql`select must_hold(count(*) < ${MOST_REQUIREMENTS}, ${`A customer has at most ${MOST_REQUIREMENTS} requirements`})
      from requirements where customer_id = ${customer_id} and key <> ${key}`;

/** undefined for an unknown customer. */
export const putRequirement = (
  { customer_id, key }: RequirementKey,
  { site, job_id, title }: RequirementPlace,
  demands: readonly Demand[],
  isNamed: boolean,
) =>
  sql<RequirementRow>`
    insert into requirements as r (tenant_id, customer_id, key, site, job_id, title, demands, created_at, updated_at)
    select tenant_id, id, ${key}, ${site}, ${job_id}, ${title}, ${json(demands)}::jsonb, ${NOW}, ${NOW}
    from customers where id = ${customer_id}
    on conflict (tenant_id, customer_id, key) do update set
      site = excluded.site, job_id = excluded.job_id, title = excluded.title, demands = excluded.demands,
      updated_at = greatest(r.updated_at, excluded.updated_at)
    returning ${columns}, customer_name_of(r.customer_id, ${isNamed}) as customer_name`.first();

export const deleteRequirement = ({ customer_id, key }: RequirementKey) =>
  sql`delete from requirements where customer_id = ${customer_id} and key = ${key} returning key`.exists();
