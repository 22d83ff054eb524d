import type { Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { sql } from '../platform/db/sql.ts';
import { Primitive, type PrimitiveCreate, type PrimitiveKind } from './primitives.contract.ts';

type PrimitiveRow = RowOf<typeof Primitive>;

/** Slugs by kind. */
export type ApprovedPrimitives = ReadonlyMap<PrimitiveKind, ReadonlySet<string>>;

const columns = columnsOf(Primitive);

/** In the system scope. */
export const copyDefaultPrimitives = (tenant_id: string) =>
  sql`insert into primitives (tenant_id, kind, slug, display_name)
      select ${tenant_id}, kind, slug, display_name from default_primitives`;

export const listPrimitives = (
  { search, kind }: { search: string; kind?: PrimitiveKind },
  limit: number,
  offset: number,
) =>
  sql<PrimitiveRow & { total: number }>`
    select ${columns}, count(*) over () as total from primitives
    where (${kind}::text is null or kind = ${kind})
      and contains_text(${search}, slug, display_name)
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined when it is approved already */
export const insertPrimitive = ({ kind, slug, display_name }: Static<typeof PrimitiveCreate>) =>
  sql<PrimitiveRow>`
    insert into primitives (tenant_id, kind, slug, display_name)
    values (current_tenant(), ${kind}, ${slug}, ${display_name})
    on conflict do nothing returning ${columns}`.first();

export const deletePrimitive = (id: string) =>
  sql`delete from primitives where id = ${id} returning id`.exists();
