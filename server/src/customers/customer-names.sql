-- The name beside a customer's id (contract, section 1). An e-mail address is only for callers who may read customers.
create or replace function customer_name_of(of_customer uuid, reads_customers boolean) returns text
  language sql stable
  as $$
  select coalesce(nullif(company_name, ''), case when reads_customers then email end) from customers where id = of_customer
$$;
