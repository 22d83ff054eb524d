import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';

export interface RegionRow {
  id: string;
  name: string;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

const settable = fragment('name, chatapp_api_base_url, is_active');
const columns = fragment('id, name, is_active, created_at, updated_at');

export const listRegions = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<RegionRow & { total: number }>`
      select ${columns}, count(*) over () as total from regions where is_active
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

export interface RegionDetailRow extends RegionRow {
  chatapp_api_base_url: string | null;
}

/** Sets the fields of `patch`, of a new region too; without a name that is called by its id (in the system scope). */
export async function putRegion(
  q: Queryable,
  id: string,
  patch: Partial<Pick<RegionDetailRow, 'name' | 'chatapp_api_base_url' | 'is_active'>>,
  now: Date,
): Promise<RegionDetailRow & { is_new: boolean }> {
  const [row] = await q.rows(
    sql<RegionDetailRow & { is_new: boolean }>`
      insert into regions as r (id, ${settable})
      select id, ${settable} from jsonb_populate_record(null::regions, ${json({ id, name: id, is_active: true })}::jsonb || ${json(patch)}::jsonb)
      on conflict (id) do update set
        (${settable}) = (select ${settable} from jsonb_populate_record(r, ${json(patch)})),
        updated_at = greatest(r.updated_at, ${now})
      returning ${columns}, chatapp_api_base_url, r.xmax = 0 as is_new`,
  );
  return row as RegionDetailRow & { is_new: boolean };
}
