import type { Queryable } from './database.ts';
import { fragment, sql } from './sql.ts';

export interface RegionRow {
  id: string;
  name: string;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = fragment('id, name, is_active, created_at, updated_at');

export const listRegions = (q: Queryable, limit: number, offset: number) =>
  q.rows(
    sql<RegionRow & { total: number }>`
      select ${columns}, count(*) over () as total from regions where is_active
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** In the system scope. Without a name a new region is called by its id. */
export async function putRegion(
  q: Queryable,
  region: { id: string; name: string | null; chatapp_api_base_url: string | null; is_active: boolean },
  now: Date,
): Promise<RegionRow & { chatapp_api_base_url: string | null }> {
  const [row] = await q.rows(
    sql<RegionRow & { chatapp_api_base_url: string | null }>`
      insert into regions as r (id, name, chatapp_api_base_url, is_active)
      values (${region.id}, coalesce(${region.name}, ${region.id}), ${region.chatapp_api_base_url}, ${region.is_active})
      on conflict (id) do update set name = coalesce(${region.name}, r.name),
        chatapp_api_base_url = excluded.chatapp_api_base_url, is_active = excluded.is_active, updated_at = ${now}
      returning ${columns}, chatapp_api_base_url`,
  );
  return row as RegionRow & { chatapp_api_base_url: string | null };
}
