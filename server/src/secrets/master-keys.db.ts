import { LEAST_UUID } from '../platform/db/keyset.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { isForeignKeyViolation } from '../platform/db/refusals.ts';
import { sql } from '../platform/db/sql.ts';

/** Something that stands wrapped by a master key. All of these work in the system scope. */
export interface WrappedRow {
  id: string;
  wrapped: Buffer;
}

/** The rows of a table that are looked at next: those with a greater id than the last one's. */
export interface Portion {
  /** undefined: from the first. */
  after: string | undefined;
  limit: number;
}

/** The ids of the keys in use, the one that a copy of the service began to wrap with last first. */
export const listMasterKeyIds = (q: Queryable) =>
  q
    .rows(sql<{ id: Buffer }>`select id from master_keys order by taken_at desc, id`)
    .then((rows) => rows.map(({ id }) => id));

/** Says that a copy of the service wraps with a key from now on. */
export const takeMasterKey = (q: Queryable, id: Buffer) =>
  q.rows(sql`insert into master_keys (id) values (${id}) on conflict (id) do update set taken_at = now()`);

/** @returns false, and takes none out of use, while anything stands under one of them */
export async function deleteEarlierMasterKeys(q: Queryable, id: Buffer): Promise<boolean> {
  try {
    await q.rows(
      sql`delete from master_keys
          where id <> ${id} and taken_at <= (select taken_at from master_keys where id = ${id})`,
    );
    return true;
  } catch (error) {
    if (isForeignKeyViolation(error)) return false;
    throw error;
  }
}

/** True when `error` is the database refusing a value under a master key that is not in use. */
export const isUnderUnusedKey = (error: unknown): boolean =>
  isForeignKeyViolation(error, 'tenants_master_key') || isForeignKeyViolation(error, 'ca_keys_master_key');

/** How much is not under the key `id`. (The platform's tenant has no data key.) */
export const countUnderOthers = (q: Queryable, id: Buffer) =>
  q
    .rows(
      sql<{ count: number }>`
        select (select count(*) from tenants where master_key_id is distinct from ${id} and not is_platform)
             + (select count(*) from service_keys where master_key_id is distinct from ${id})
             + (select count(*) from ca_keys where master_key_id is distinct from ${id} and sealed_private_key is not null)
          as count`,
    )
    .then(([row]) => row?.count ?? 0);

export const listTenantKeysUnderOthers = (q: Queryable, id: Buffer, { after, limit }: Portion) =>
  q.rows(
    sql<WrappedRow>`
      select id, wrapped_key as wrapped from tenants
      where master_key_id is distinct from ${id} and not is_platform and id > ${after ?? LEAST_UUID}
      order by id limit ${limit}`,
  );

export const listServiceKeysUnderOthers = (q: Queryable, id: Buffer, { after, limit }: Portion) =>
  q.rows(
    sql<WrappedRow>`
      select id, wrapped_key as wrapped from service_keys
      where master_key_id is distinct from ${id} and id > ${after ?? ''} order by id limit ${limit}`,
  );

export const listCaKeysUnderOthers = (q: Queryable, id: Buffer, { after, limit }: Portion) =>
  q.rows(
    sql<WrappedRow>`
      select id, sealed_private_key as wrapped from ca_keys
      where master_key_id is distinct from ${id} and sealed_private_key is not null
        and id > ${after ?? LEAST_UUID} order by id limit ${limit}`,
  );

type Replace = (q: Queryable, row: WrappedRow, wrapped: Buffer) => Promise<{ id: string }[]>;

/** Nothing is replaced, and no row given back, when the value is not the one that was read. */
export const replaceTenantKey: Replace = (q, row, wrapped) =>
  q.rows(
    sql`update tenants set wrapped_key = ${wrapped} where id = ${row.id} and wrapped_key = ${row.wrapped} returning id`,
  );

export const replaceServiceKey: Replace = (q, row, wrapped) =>
  q.rows(
    sql`update service_keys set wrapped_key = ${wrapped}
        where id = ${row.id} and wrapped_key = ${row.wrapped} returning id`,
  );

export const replaceCaPrivateKey: Replace = (q, row, wrapped) =>
  q.rows(
    sql`update ca_keys set sealed_private_key = ${wrapped}
        where id = ${row.id} and sealed_private_key = ${row.wrapped} returning id`,
  );
