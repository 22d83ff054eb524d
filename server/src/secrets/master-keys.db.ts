import { isForeignKeyViolation } from '../platform/db/constraint-errors.ts';
import { LEAST_UUID } from '../platform/db/rows.ts';
import { sql } from '../platform/db/sql.ts';

/** The statements of this file run in the system scope. */
export interface WrappedRow {
  id: string;
  wrapped: Buffer;
}

/** Ordered by id. */
export interface IdPage {
  /** The last id of the previous page. */
  after: string | undefined;
  limit: number;
}

/** Most recently adopted first. */
export const listMasterKeyIds = () =>
  sql<{ id: Buffer }>`select id from master_keys order by taken_at desc, id`.each(({ id }) => id);

/** Records that a process wraps with this key from now on. */
export const recordMasterKey = (id: Buffer) =>
  sql`insert into master_keys (id) values (${id}) on conflict (id) do update set taken_at = now()`;

/** Fails on a foreign key while an earlier key still wraps a value. */
export const deleteEarlierMasterKeys = (id: Buffer) =>
  sql`delete from master_keys
      where id <> ${id} and taken_at <= (select taken_at from master_keys where id = ${id})`;

/** The database refuses values under a retired key. */
export const isUnderUnusedKey = (error: unknown): boolean =>
  isForeignKeyViolation(error, 'tenants_master_key_id_fkey') ||
  isForeignKeyViolation(error, 'ca_keys_master_key_id_fkey') ||
  isForeignKeyViolation(error, 'chain_heads_master_key_id_fkey');

/** The platform's tenant has no data key. */
export const countUnderOthers = (id: Buffer) =>
  sql<{ count: number }>`
    select (select count(*) from tenants where master_key_id is distinct from ${id} and not is_platform)
         + (select count(*) from service_keys where master_key_id is distinct from ${id})
         + (select count(*) from ca_keys where master_key_id is distinct from ${id} and sealed_private_key is not null)
         + (select count(*) from chain_heads where master_key_id is distinct from ${id})
      as count`
    .one()
    .map(({ count }) => count);

export const listTenantKeysUnderOthers = (id: Buffer, { after, limit }: IdPage) =>
  sql<WrappedRow>`
    select id, wrapped_key as wrapped from tenants
    where master_key_id is distinct from ${id} and not is_platform and id > ${after ?? LEAST_UUID}
    order by id limit ${limit}`;

export const listServiceKeysUnderOthers = (id: Buffer, { after, limit }: IdPage) =>
  sql<WrappedRow>`
    select id, wrapped_key as wrapped from service_keys
    where master_key_id is distinct from ${id} and id > ${after ?? ''} order by id limit ${limit}`;

export const listCaKeysUnderOthers = (id: Buffer, { after, limit }: IdPage) =>
  sql<WrappedRow>`
    select id, sealed_private_key as wrapped from ca_keys
    where master_key_id is distinct from ${id} and sealed_private_key is not null
      and id > ${after ?? LEAST_UUID} order by id limit ${limit}`;

export const listChainHeadsUnderOthers = (id: Buffer, { after, limit }: IdPage) =>
  sql<WrappedRow>`
    select tenant_id || '/' || chain as id, sealed as wrapped from chain_heads
    where master_key_id is distinct from ${id} and tenant_id || '/' || chain > ${after ?? ''}
    order by 1 limit ${limit}`;

/** False when the value has changed since it was read. */
export const replaceServiceKey = (row: WrappedRow, wrapped: Buffer) =>
  sql`update service_keys set wrapped_key = ${wrapped} where id = ${row.id} and wrapped_key = ${row.wrapped}
      returning id`.exists();

/** See replaceServiceKey. */
export const replaceChainHead = (row: WrappedRow, wrapped: Buffer) =>
  sql`update chain_heads set sealed = ${wrapped}
      where tenant_id = split_part(${row.id}, '/', 1)::uuid and chain = split_part(${row.id}, '/', 2)
        and sealed = ${row.wrapped} returning tenant_id`.exists();
