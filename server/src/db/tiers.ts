import type { Queryable } from './database.ts';
import { fragment, sql } from './sql.ts';

export interface TierRow {
  id: string;
  name: string;
  description: string | null;
  cpu_millis: number | null;
  memory_mib: number | null;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = fragment('id, name, description, cpu_millis, memory_mib, is_active, created_at, updated_at');

export const listTiers = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<TierRow & { total: number }>`
      select ${columns}, count(*) over () as total from tiers where is_active
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** In the system scope. Without a name a new tier is called by its id. */
export async function putTier(
  q: Queryable,
  tier: Omit<TierRow, 'name' | 'created_at' | 'updated_at'> & { name: string | null },
  now: Date,
): Promise<TierRow> {
  const [row] = await q.rows(
    sql<TierRow>`
      insert into tiers as t (id, name, description, cpu_millis, memory_mib, is_active)
      values (${tier.id}, coalesce(${tier.name}, ${tier.id}), ${tier.description}, ${tier.cpu_millis},
              ${tier.memory_mib}, ${tier.is_active})
      on conflict (id) do update set name = coalesce(${tier.name}, t.name), description = excluded.description,
        cpu_millis = excluded.cpu_millis, memory_mib = excluded.memory_mib, is_active = excluded.is_active,
        updated_at = ${now}
      returning ${columns}`,
  );
  return row as TierRow;
}
