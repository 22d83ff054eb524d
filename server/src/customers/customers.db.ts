import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import { notFound } from '../platform/errors.ts';

export interface CreatedCustomer {
  id: string;
  email: string | null;
  company_name: string | null;
  created_at: Date;
}

export interface NewCustomer {
  email: string;
  company_name: string | null;
  country_code: string | null;
  currency: string | null;
  timezone: string | null;
  locale: string | null;
}

const createdColumns = fragment('id, email, company_name, created_at');

/** Throws not found unless the tenant has the customer. */
export async function getCustomerId(q: Queryable, id: string): Promise<string> {
  const [row] = await q.rows(sql<{ id: string }>`select id from customers where id = ${id}`);
  if (!row) throw notFound('Customer');
  return row.id;
}

/** Holds a customer until the transaction ends, for what may be done to one at a time. Rows may refer to it meanwhile. */
export const lockCustomer = (q: Queryable, id: string) =>
  q.rows(sql`select from customers where id = ${id} for no key update`);

/** @returns undefined when the tenant has a customer with the address */
export async function insertCustomer(
  q: Queryable,
  customer: NewCustomer,
): Promise<CreatedCustomer | undefined> {
  const { email, company_name, country_code, currency, timezone, locale } = customer;
  const [row] = await q.rows(
    sql<CreatedCustomer>`
      insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale)
      values (current_tenant(), ${email}, ${company_name}, ${country_code}, ${currency},
              coalesce(${timezone}, 'UTC'), ${locale})
      on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`,
  );
  return row;
}

/**
 * A customer with the profile of one and the rules of another.
 * @returns undefined when either is missing, or when the tenant has a customer with the address
 */
export async function insertClone(
  q: Queryable,
  clone: { customer_id: string; source_customer_id: string; company_name: string; email: string | null },
): Promise<CreatedCustomer | undefined> {
  const [row] = await q.rows(
    sql<CreatedCustomer>`
      insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale, rules)
      select profile.tenant_id, ${clone.email}, ${clone.company_name},
             profile.country_code, profile.currency, profile.timezone, profile.locale, source.rules
      from customers profile cross join customers source
      where profile.id = ${clone.customer_id} and source.id = ${clone.source_customer_id}
      on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`,
  );
  return row;
}
