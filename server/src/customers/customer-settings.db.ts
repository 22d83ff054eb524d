import type { Queryable } from '../platform/db/queryable.ts';
import { json, sql } from '../platform/db/sql.ts';
import { notFound } from '../platform/errors.ts';

type Settings = Record<string, unknown>;

export async function getCustomerRules(q: Queryable, customer_id: string): Promise<Settings> {
  const [row] = await q.rows(sql<{ rules: Settings }>`select rules from customers where id = ${customer_id}`);
  if (!row) throw notFound('Customer');
  return row.rules;
}

/** @returns undefined when there is no such customer */
export async function replaceCustomerRules(
  q: Queryable,
  customer_id: string,
  rules: Settings,
  now: Date,
): Promise<Settings | undefined> {
  const [row] = await q.rows(
    sql<{ rules: Settings }>`
      update customers set rules = ${json(rules)}, updated_at = greatest(updated_at, ${now})
      where id = ${customer_id} returning rules`,
  );
  return row?.rules;
}

export async function getCustomerConfig(q: Queryable, customer_id: string): Promise<Settings> {
  const [row] = await q.rows(
    sql<{ config: Settings }>`select config from customers where id = ${customer_id}`,
  );
  if (!row) throw notFound('Customer');
  return row.config;
}

/** @returns undefined when there is no such customer */
export async function replaceCustomerConfig(
  q: Queryable,
  customer_id: string,
  config: Settings,
  now: Date,
): Promise<Settings | undefined> {
  const [row] = await q.rows(
    sql<{ config: Settings }>`
      update customers set config = ${json(config)}, updated_at = greatest(updated_at, ${now})
      where id = ${customer_id} returning config`,
  );
  return row?.config;
}
