import type { Static } from 'typebox';
import { columnsOf, fieldsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { Tier, TierPut } from './tiers.contract.ts';

type TierRow = RowOf<typeof Tier>;

const columns = columnsOf(Tier);
const settable = columnsOf(TierPut);

export const listTiers = (limit: number, offset: number) =>
  sql<TierRow & { total: number }>`
    select ${columns}, count(*) over () as total from tiers where is_active
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** A new tier without a name is named by its id. In the system scope. */
export const putTier = (id: string, tier: Static<typeof TierPut>) => {
  const given = json(fieldsOf(TierPut, tier));
  const defaults = json({ id, name: id, is_active: true });
  return sql<TierRow & { is_new: boolean }>`
    insert into tiers as t (id, ${settable})
    select id, ${settable} from jsonb_populate_record(null::tiers, ${defaults}::jsonb || ${given}::jsonb)
    on conflict (id) do update set
      (${settable}) = (select ${settable} from jsonb_populate_record(t, ${given})),
      updated_at = greatest(t.updated_at, ${NOW})
    returning ${columns}, t.xmax = 0 as is_new`.one();
};
