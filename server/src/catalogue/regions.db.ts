import type { Static } from 'typebox';
import { columnsOf, fieldsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { Region, RegionDetail, RegionPut } from './regions.contract.ts';

const columns = columnsOf(Region);
const detailColumns = columnsOf(RegionDetail);
const settable = columnsOf(RegionPut);

export const listRegions = (limit: number, offset: number) =>
  sql<RowOf<typeof Region> & { total: number }>`
    select ${columns}, count(*) over () as total from regions where is_active
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** A new region without a name is named by its id. In the system scope. */
export const putRegion = (id: string, region: Static<typeof RegionPut>) => {
  const given = json(fieldsOf(RegionPut, region));
  const defaults = json({ id, name: id, is_active: true });
  return sql<RowOf<typeof RegionDetail> & { is_new: boolean }>`
    insert into regions as r (id, ${settable})
    select id, ${settable} from jsonb_populate_record(null::regions, ${defaults}::jsonb || ${given}::jsonb)
    on conflict (id) do update set
      (${settable}) = (select ${settable} from jsonb_populate_record(r, ${given})),
      updated_at = greatest(r.updated_at, ${NOW})
    returning ${detailColumns}, r.xmax = 0 as is_new`.one();
};
