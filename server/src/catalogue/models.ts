import type { Queryable } from '../platform/db/queryable.ts';
import { ModelEntry } from './models.contract.ts';
import { upsertModels } from './models.db.ts';

export { listActiveModels } from './models.db.ts';

const FIELDS = Object.keys(ModelEntry.properties) as (keyof ModelEntry)[];

/** Without what an entry has beyond its fields, which could be called as a column that is not the client's to set. */
const known = (entry: ModelEntry): ModelEntry =>
  Object.fromEntries(FIELDS.flatMap((name) => (name in entry ? [[name, entry[name]]] : []))) as ModelEntry;

/** A list that is cleared is empty. */
const emptied = (entry: ModelEntry): ModelEntry =>
  entry.capabilities === null ? { ...entry, capabilities: [] } : entry;

/**
 * Makes and changes catalogue entries as if one came after the other, so that a model may be named twice. What is told
 * without its source has none: an old one would vouch for facts that it never gave.
 */
export function putModels(q: Queryable, entries: readonly ModelEntry[], now: Date): Promise<number> {
  const byModel = new Map<string, ModelEntry>();
  for (const entry of entries) {
    const before = byModel.get(entry.model_id);
    byModel.set(entry.model_id, { ...before, source: null, observed_on: null, ...known(emptied(entry)) });
  }
  return upsertModels(q, [...byModel.values()], now);
}
