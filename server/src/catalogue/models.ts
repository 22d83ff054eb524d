import type { ModelEntry } from './models.contract.ts';

/** null clears a list to an empty one. */
const clearNullList = (entry: ModelEntry): ModelEntry =>
  entry.capabilities === null ? { ...entry, capabilities: [] } : entry;

/**
 * Later entries of a model override earlier ones. A missing source clears the old one, which never vouched for the new
 * values.
 */
export function mergeEntries(entries: readonly ModelEntry[]): ModelEntry[] {
  const byModel = new Map<string, ModelEntry>();
  for (const entry of entries) {
    const before = byModel.get(entry.model_id);
    byModel.set(entry.model_id, { ...before, source: null, observed_on: null, ...clearNullList(entry) });
  }
  return [...byModel.values()];
}
