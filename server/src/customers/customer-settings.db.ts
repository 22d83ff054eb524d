import { json, NOW, sql } from '../platform/db/sql.ts';

type Settings = Record<string, unknown>;

export const findCustomerRules = (customer_id: string) =>
  sql<{ rules: Settings }>`select rules from customers where id = ${customer_id}`
    .first()
    .map((row) => row?.rules);

/** undefined for an unknown customer */
export const replaceCustomerRules = (customer_id: string, rules: Settings) =>
  sql<{ rules: Settings }>`
    update customers set rules = ${json(rules)}, updated_at = greatest(updated_at, ${NOW})
    where id = ${customer_id} returning rules`
    .first()
    .map((row) => row?.rules);

export const findCustomerConfig = (customer_id: string) =>
  sql<{ config: Settings }>`select config from customers where id = ${customer_id}`
    .first()
    .map((row) => row?.config);

/** undefined for an unknown customer */
export const replaceCustomerConfig = (customer_id: string, config: Settings) =>
  sql<{ config: Settings }>`
    update customers set config = ${json(config)}, updated_at = greatest(updated_at, ${NOW})
    where id = ${customer_id} returning config`
    .first()
    .map((row) => row?.config);
