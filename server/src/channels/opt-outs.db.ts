import { json, NOW, sql } from '../platform/db/sql.ts';

/** After this, agents do not write first to these addresses. */
export const addOptOuts = (customer_id: string, hashes: readonly Buffer[]) =>
  sql`insert into opt_outs (tenant_id, customer_id, address_hash, at)
      select current_tenant(), ${customer_id}, hash, ${NOW} from unnest(${hashes}::bytea[]) as hash order by hash
      on conflict do nothing`;

export const removeOptOuts = (customer_id: string, hashes: readonly Buffer[]) =>
  sql`delete from opt_outs where customer_id = ${customer_id} and address_hash = any (${hashes}::bytea[])`;

/** Opts `to` out if one of `from` has opted out. */
export const copyOptOuts = (customer_id: string, from: readonly Buffer[], to: readonly Buffer[]) =>
  sql`insert into opt_outs (tenant_id, customer_id, address_hash, at)
      select current_tenant(), ${customer_id}, hash, ${NOW} from unnest(${to}::bytea[]) as hash
      where exists (
        select from opt_outs where customer_id = ${customer_id} and address_hash = any (${from}::bytea[]))
      order by hash
      on conflict do nothing`;

export const hasOptedOut = (customer_id: string, hashes: readonly Buffer[]) =>
  sql`select from opt_outs where customer_id = ${customer_id} and address_hash = any (${hashes}::bytea[]) limit 1`.exists();

/** The places of people with an address that has opted out. @param people with hashes as hexadecimal digits */
export const listOptedOut = (
  people: readonly { place: number; customer_id: string; hashes: readonly string[] }[],
) =>
  sql<{ place: number }>`
    select w.place from jsonb_to_recordset(${json(people)}::jsonb) as w (place integer, customer_id uuid, hashes text[])
    where exists (
      select from opt_outs o where o.customer_id = w.customer_id
        and o.address_hash in (select decode(hash, 'hex') from unnest(w.hashes) as hash))`.each(
    ({ place }) => place,
  );

/** With aliases. */
export const listIdentityAddresses = (identity_id: string | null) =>
  sql<{
    external_id: string;
  }>`select external_id from identity_addresses where identity_id = ${identity_id}`.map((rows) =>
    rows.map(({ external_id }) => external_id),
  );
