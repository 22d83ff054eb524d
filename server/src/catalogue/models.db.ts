import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';

export interface ModelRow {
  id: string;
  model_id: string;
  slug: string;
  display_name: string;
  provider: string | null;
  modality: string | null;
  api_format: string | null;
  capabilities: string[];
  context_window: number | null;
  max_output_tokens: number | null;
  typical_tps: number | null;
  speed_tier: string | null;
  cost_input_per_mtok: string | null;
  cost_cached_input_per_mtok: string | null;
  cost_output_per_mtok: string | null;
  is_active: boolean;
  is_deprecated: boolean;
}

const columnNames = `model_id, slug, display_name, provider, modality, api_format, capabilities, context_window,
  max_output_tokens, typical_tps, speed_tier, cost_input_per_mtok, cost_cached_input_per_mtok, cost_output_per_mtok,
  is_active, is_deprecated`;
const columns = fragment(`id, ${columnNames}`);
const settable = fragment(`${columnNames}, source, observed_on`);

/** The active ones (in the system scope). */
export const listActiveModels = (q: Queryable, modality: string | null) =>
  q.rows(
    sql<ModelRow>`select ${columns} from models
                  where is_active and (${modality}::text is null or modality = ${modality}) order by provider, model_id`,
  );

/**
 * Inserts and changes in one statement (in the system scope). Each entry names another model; what it does not name
 * stays as it is, also when another change comes at the same time. @returns how many
 */
export async function upsertModels(
  q: Queryable,
  entries: readonly ({ model_id: string } & Record<string, unknown>)[],
  now: Date,
): Promise<number> {
  const rows = await q.rows(
    sql`with given as (
          select entry from jsonb_array_elements(${json(entries)}) as entry
        ), by_model as (
          select jsonb_object_agg(entry ->> 'model_id', entry) as entries from given
        )
        insert into models as m (${settable})
        select ${settable} from given, jsonb_populate_record(null::models, jsonb_build_object(
          'slug', entry -> 'model_id', 'display_name', entry -> 'model_id', 'capabilities', '[]'::jsonb,
          'is_active', true, 'is_deprecated', false) || entry)
        order by model_id
        on conflict (model_id) do update set
          (${settable}) = (select ${settable}
                           from jsonb_populate_record(m, (select entries from by_model) -> excluded.model_id)),
          updated_at = greatest(m.updated_at, ${now})
        returning id`,
  );
  return rows.length;
}
