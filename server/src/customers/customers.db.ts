import { fragment, sql } from '../platform/db/sql.ts';

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

/** Stops the statements behind it with 404 unless the tenant has the customer. */
export const customerExists = (id: string) =>
  sql`select must_exist(exists (select from customers where id = ${id}), 'Customer')`;

/** Locks a customer until the transaction ends. Rows may refer to it meanwhile. */
export const lockCustomer = (id: string) => sql`select from customers where id = ${id} for no key update`;

/** undefined when the tenant has a customer with the address */
export const insertCustomer = (customer: NewCustomer) => {
  const { email, company_name, country_code, currency, timezone, locale } = customer;
  return sql<CreatedCustomer>`
    insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale)
    values (current_tenant(), ${email}, ${company_name}, ${country_code}, ${currency},
            coalesce(${timezone}, 'UTC'), ${locale})
    on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`.first();
};

export interface NewClone {
  /** The profile's customer. */
  customer_id: string;
  /** The rules' customer. */
  source_customer_id: string;
  company_name: string;
  email: string | null;
}

/** undefined when either customer is missing, or when the tenant has a customer with the address */
export const insertClone = (clone: NewClone) =>
  sql<CreatedCustomer>`
    insert into customers (tenant_id, email, company_name, country_code, currency, timezone, locale, rules)
    select profile.tenant_id, ${clone.email}, ${clone.company_name},
           profile.country_code, profile.currency, profile.timezone, profile.locale, source.rules
    from customers profile cross join customers source
    where profile.id = ${clone.customer_id} and source.id = ${clone.source_customer_id}
    on conflict (tenant_id, lower(email)) do nothing returning ${createdColumns}`.first();
