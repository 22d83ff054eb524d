import type { Static } from 'typebox';
import { columnsOf, fieldsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { listManifests as listOperation, ManifestPut, OperatorManifest } from './manifests.contract.ts';

type ManifestRow = RowOf<typeof OperatorManifest>;
type OfferedRow = Omit<ManifestRow, 'command' | 'image' | 'sidecar_images' | 'internet'>;

const columns = columnsOf(OperatorManifest);
const settable = columnsOf(ManifestPut);
const offered = columnsOf(listOperation.responses[200].properties.items.items);

export const listManifests = (limit: number, offset: number) =>
  sql<OfferedRow & { total: number }>`
    select ${offered}, count(*) over () as total from manifests
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Includes command and images (in the system scope). */
export const listAllManifests = (limit: number, offset: number) =>
  sql<ManifestRow & { total: number }>`
    select ${columns}, count(*) over () as total from manifests
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Inserts a manifest. One that exists keeps everything but its image (in the system scope). */
export const addManifest = (id: string, manifest: Static<typeof ManifestPut>) =>
  sql`insert into manifests as m (id, ${settable})
      select id, ${settable} from jsonb_populate_record(null::manifests, ${json({ id, ...manifest })})
      on conflict (id) do update set image = excluded.image, updated_at = greatest(m.updated_at, ${NOW})
      where m.image is distinct from excluded.image`;

/** Inserts or changes a manifest (in the system scope). */
export const putManifest = (id: string, manifest: Static<typeof ManifestPut>) => {
  const given = json(fieldsOf(ManifestPut, manifest));
  const capabilities = { fields: [], skills: [], channels: [] };
  const defaults = json({ id, name: id, capabilities, is_active: true, internet: false });
  return sql<ManifestRow & { is_new: boolean }>`
    insert into manifests as m (id, ${settable})
    select id, ${settable} from jsonb_populate_record(null::manifests, ${defaults}::jsonb || ${given}::jsonb)
    on conflict (id) do update set
      (${settable}) = (select ${settable} from jsonb_populate_record(m, ${given})),
      updated_at = greatest(m.updated_at, ${NOW})
    returning ${columns}, m.xmax = 0 as is_new`.one();
};
