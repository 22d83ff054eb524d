import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { PrimitiveKind } from './primitives.contract.ts';

export interface PrimitiveRow {
  id: string;
  tenant_id: string;
  kind: PrimitiveKind;
  slug: string;
  display_name: string | null;
  created_at: Date;
}

const columns = fragment('id, tenant_id, kind, slug, display_name, created_at');

/** What a new tenant starts with (in the system scope). */
export const copyDefaultPrimitives = (q: Queryable, tenant_id: string) =>
  q.rows(
    sql`insert into primitives (tenant_id, kind, slug, display_name)
        select ${tenant_id}, kind, slug, display_name from default_primitives`,
  );

/** Every approved slug, for the check of a configuration. */
export const listApprovedSlugs = (q: Queryable) =>
  q.rows(
    sql<{
      kind: PrimitiveKind;
      slugs: string[];
    }>`select kind, array_agg(slug) as slugs from primitives group by kind`,
  );

export const listPrimitives = (q: Queryable, kind: string | null, limit: number, offset: number) =>
  q.rows(
    sql<PrimitiveRow & { total: number }>`
      select ${columns}, count(*) over () as total from primitives where (${kind}::text is null or kind = ${kind})
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** @returns undefined when the tenant has it already */
export async function insertPrimitive(
  q: Queryable,
  primitive: { kind: PrimitiveKind; slug: string; display_name: string | null },
): Promise<PrimitiveRow | undefined> {
  const { kind, slug, display_name } = primitive;
  const [row] = await q.rows(
    sql<PrimitiveRow>`
      insert into primitives (tenant_id, kind, slug, display_name) values (current_tenant(), ${kind}, ${slug}, ${display_name})
      on conflict do nothing returning ${columns}`,
  );
  return row;
}

export async function deletePrimitive(q: Queryable, id: string): Promise<boolean> {
  return (await q.rows(sql`delete from primitives where id = ${id} returning id`)).length > 0;
}
