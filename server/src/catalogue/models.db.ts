import { columnsOf, fieldsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { Model, ModelEntry } from './models.contract.ts';

const columns = columnsOf(Model);
const settable = columnsOf(ModelEntry);

/** The active models (in the system scope). */
export const listActiveModels = ({ search, modality }: { search: string; modality?: string }) =>
  sql<RowOf<typeof Model>>`
    select ${columns} from models
    where is_active and (${modality}::text is null or modality = ${modality})
      and contains_text(${search}, model_id, display_name, provider)
    order by provider, model_id`;

/**
 * Each entry names another model. Absent fields keep their values, also under concurrent upserts. In the system scope.
 */
export const upsertModels = (entries: readonly ModelEntry[]) =>
  sql`
    with given as (
      select entry from jsonb_array_elements(${json(entries.map((entry) => fieldsOf(ModelEntry, entry)))}) as entry
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
      updated_at = greatest(m.updated_at, ${NOW})
    returning id`.map((rows) => rows.length);
