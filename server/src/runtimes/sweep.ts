const CONFIRMED_AFTER_MS = 60_000;
const REMOVALS_PER_MINUTE = 20;
const MAX_SHARE = 1 / 10;

/** Runtimes that an engine listed in full. Times are milliseconds of one clock that is never set. */
export interface FullList {
  ids: ReadonlySet<string>;
  at: number;
}

export interface SweepState {
  /** The time of the first of the full lists that showed a stranger. */
  since: ReadonlyMap<string, number>;
  /** The times of the removals within a minute. */
  removals: readonly number[];
}

export interface Sweep {
  state: SweepState;
  remove: readonly string[];
  /** Too many to be an accident: the database is probably not the one that made them. */
  isRefused: boolean;
}

export const nothingSwept: SweepState = { since: new Map(), removals: [] };

/**
 * Decides which runtimes with this installation's labels but without a row here are removed: those of two full lists a
 * minute apart, a few a minute, and none where they are more than a tenth of all.
 *
 * @param hosted instances with a row here, read after the list
 */
export function planSweep(
  { since: before, removals }: SweepState,
  list: FullList,
  hosted: ReadonlySet<string>,
  now: number,
): Sweep {
  const strangers = [...list.ids].filter((id) => !hosted.has(id));
  const since = new Map(strangers.map((id) => [id, before.get(id) ?? list.at]));
  const recent = removals.filter((at) => now - at < 60_000);
  const confirmed = strangers.filter((id) => list.at - (since.get(id) ?? list.at) >= CONFIRMED_AFTER_MS);
  const isRefused = confirmed.length > 0 && strangers.length > list.ids.size * MAX_SHARE;
  const remove = isRefused ? [] : confirmed.slice(0, REMOVALS_PER_MINUTE - recent.length);
  return { state: { since, removals: [...recent, ...remove.map(() => now)] }, remove, isRefused };
}
