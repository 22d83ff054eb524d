import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';

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

const settable = fragment('name, description, cpu_millis, memory_mib, is_active');
const columns = fragment('id, name, description, cpu_millis, memory_mib, is_active, created_at, updated_at');

export const listTiers = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<TierRow & { total: number }>`
      select ${columns}, count(*) over () as total from tiers where is_active
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** Sets the fields of `patch`, of a new tier too; without a name that is called by its id (in the system scope). */
export async function putTier(
  q: Queryable,
  id: string,
  patch: Partial<Omit<TierRow, 'id' | 'created_at' | 'updated_at'>>,
  now: Date,
): Promise<TierRow & { is_new: boolean }> {
  const [row] = await q.rows(
    sql<TierRow & { is_new: boolean }>`
      insert into tiers as t (id, ${settable})
      select id, ${settable} from jsonb_populate_record(null::tiers, ${json({ id, name: id, is_active: true })}::jsonb || ${json(patch)}::jsonb)
      on conflict (id) do update set
        (${settable}) = (select ${settable} from jsonb_populate_record(t, ${json(patch)})),
        updated_at = greatest(t.updated_at, ${now})
      returning ${columns}, t.xmax = 0 as is_new`,
  );
  return row as TierRow & { is_new: boolean };
}
