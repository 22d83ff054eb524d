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
/** The new customer has the profile of `customer_id` and the rules of `source_customer_id`. */
export type NewClone = Static<typeof CustomerClone> & { customer_id: string };

const createdColumns = columnsOf(CreatedCustomer);

/** Stops the statements behind it with 404 unless the tenant has the customer. */
export const customerExists = (id: string) =>
  sql`select must_exist(exists (select from customers where id = ${id}), 'Customer')`;

/** Locks a customer until the transaction ends. Rows may refer to it meanwhile. */
export const lockCustomer = (id: string) => sql`select from customers where id = ${id} for no key update`;

/** undefined when the tenant has a customer with the address */
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

/** Absent fields stay as they are. Violates customers_email when another customer of the tenant has the address. */
export const updateCustomer = (id: string, changes: Static<typeof CustomerUpdate>) =>
  sql`
    update customers c set
      (${changeable}) = (select ${changed} from jsonb_populate_record(c, ${json(changes)}::jsonb) changed),
      updated_at = greatest(c.updated_at, ${NOW})
    where c.id = ${id} returning c.id`.exists();

/** Locks a customer until the transaction ends, also against new rows that refer to it. */
export const lockCustomerRows = (id: string) => sql`select from customers where id = ${id} for update`;

/** Erases a customer with everything that is stored of it: references cascade, and triggers of other rooms do the rest
 * (docs/schema.md). True when it was there. */
export const deleteCustomer = (id: string) =>
  sql`delete from customers where id = ${id} returning id`.exists();

/** undefined when either customer is missing, or when the tenant has a customer with the address */
export const insertClone = (clone: NewClone) =>
  sql<CreatedCustomerRow>`
    insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale, rules)
    select profile.tenant_id, ${clone.email}, ${clone.company_name},
           profile.country_code, profile.currency, profile.timezone, profile.locale, source.rules
    from customers profile cross join customers source
    where profile.id = ${clone.customer_id} and source.id = ${clone.source_customer_id}
    on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`.first();

/** Gives a customer without rules those of a template, where there is one with this id. */
export const copyRules = (customer_id: string, rules_template_id: string | null) =>
  sql`update customers c set rules = t.rules, updated_at = greatest(c.updated_at, ${NOW})
      from rules_templates t where t.id = ${rules_template_id}::uuid and c.id = ${customer_id} and c.rules = '{}'`;
