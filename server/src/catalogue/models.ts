import type { ModelEntry } from './models.contract.ts';

/** null clears a list to an empty one. */
const cleared = (entry: ModelEntry): ModelEntry =>
  entry.capabilities === null ? { ...entry, capabilities: [] } : entry;

/**
 * One entry for each model, as if the entries of a request came one after the other. Facts without a source get none:
 * the old source would vouch for values that it never gave.
 */
export function mergeEntries(entries: readonly ModelEntry[]): ModelEntry[] {
  const byModel = new Map<string, ModelEntry>();
  for (const entry of entries) {
    const before = byModel.get(entry.model_id);
    byModel.set(entry.model_id, { ...before, source: null, observed_on: null, ...cleared(entry) });
  }
  return [...byModel.values()];
}
