import type { Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import {
  CreatedCustomer,
  type CustomerClone,
  type CustomerCreate,
  CustomerUpdate,
} from './customers.contract.ts';

export type CreatedCustomerRow = RowOf<typeof CreatedCustomer>;
export type NewCustomer = Static<typeof CustomerCreate>;
/** Profile of `customer_id`, rules of `source_customer_id`. */
export type NewClone = Static<typeof CustomerClone> & { customer_id: string };

const createdColumns = columnsOf(CreatedCustomer);

/** Raises 404, which stops later statements. */
export const customerExists = (id: string) =>
  sql`select must_exist(exists (select from customers where id = ${id}), 'Customer')`;

/** null without one, and for an unknown customer. */
export const findCountry = (id: string) =>
  sql<{ country_code: string | null }>`select country_code from customers where id = ${id}`
    .first()
    .map((row) => row?.country_code ?? null);

/** Other rows may still refer to the customer meanwhile. */
export const lockCustomer = (id: string) => sql`select from customers where id = ${id} for no key update`;

/** undefined when the address is taken */
export const insertCustomer = (customer: NewCustomer) => {
  const { email, company_name, country_code, currency, timezone, locale } = customer;
  return sql<CreatedCustomerRow>`
    insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale)
    values (current_tenant(), ${email}, ${company_name}, ${country_code}, ${currency},
            coalesce(${timezone}, 'UTC'), ${locale})
    on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`.first();
};

const changeable = columnsOf(CustomerUpdate);
const changed = columnsOf(CustomerUpdate, 'changed.');

/** Absent fields stay. Violates customers_email when the address is taken. */
export const updateCustomer = (id: string, changes: Static<typeof CustomerUpdate>) =>
  sql`
    update customers c set
      (${changeable}) = (select ${changed} from jsonb_populate_record(c, ${json(changes)}::jsonb) changed),
      updated_at = greatest(c.updated_at, ${NOW})
    where c.id = ${id} returning c.id`.exists();

/** Also excludes new rows that refer to the customer. */
export const lockCustomerForErasure = (id: string) => sql`select from customers where id = ${id} for update`;

/** References cascade, and triggers of other rooms delete the rest (docs/schema.md). */
export const deleteCustomer = (id: string) =>
  sql`delete from customers where id = ${id} returning id`.exists();

/** undefined when a customer is unknown or the address is taken */
export const insertClone = (clone: NewClone) =>
  sql<CreatedCustomerRow>`
    insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale, rules)
    select profile.tenant_id, ${clone.email}, ${clone.company_name},
           profile.country_code, profile.currency, profile.timezone, profile.locale, source.rules
    from customers profile cross join customers source
    where profile.id = ${clone.customer_id} and source.id = ${clone.source_customer_id}
    on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`.first();

/** Rules of a template, for a customer without rules. */
export const copyRules = (customer_id: string, rules_template_id: string | null) =>
  sql`update customers c set rules = t.rules, updated_at = greatest(c.updated_at, ${NOW})
      from rules_templates t where t.id = ${rules_template_id}::uuid and c.id = ${customer_id} and c.rules = '{}'`;
