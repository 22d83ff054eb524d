import { ValidationError } from '../platform/errors.ts';
import { tooLong } from '../platform/json/document-limit.ts';
import { isJsonObject, type JsonObject, ownMember } from '../platform/json/json-object.ts';
import { BOUNDS } from './bounds.contract.ts';

const LISTS = Object.entries(BOUNDS.configuration).map(([path, most]) => ({ path: path.split('.'), most }));

/**
 * 422 `too_long` below `loc` for each list of a configuration that is over its bound, unless it is no longer than in
 * `before`.
 */
export function limitLists(configuration: unknown, loc: readonly string[], before?: () => unknown): void {
  const over = LISTS.map((list) => ({ ...list, ...longestAt(configuration, list.path) })).filter(
    ({ length, most }) => length > most,
  );
  if (over.length === 0) return;
  const former = before?.();
  const faults = over
    .filter(({ path, length }) => length > longestAt(former, path).length)
    .map(({ place, most }) => tooLong([...loc, ...place], `List should have at most ${most} items`));
  if (faults.length > 0) throw new ValidationError(faults);
}

export const areWithinBounds = (configuration: JsonObject): boolean =>
  LISTS.every(({ path, most }) => longestAt(configuration, path).length <= most);

interface Longest {
  length: number;
  place: readonly string[];
}

/** The longest list at a path, which may lead through the elements of another list. */
function longestAt(value: unknown, path: readonly string[], place: readonly string[] = []): Longest {
  const [key, ...below] = path;
  if (key === undefined) return { length: Array.isArray(value) ? value.length : 0, place };
  if (!Array.isArray(value))
    return longestAt(isJsonObject(value) ? ownMember(value, key) : undefined, below, [...place, key]);
  const all = value.map((element, index) => longestAt(element, path, [...place, String(index)]));
  return all.reduce((longest, one) => (one.length > longest.length ? one : longest), { length: 0, place });
}
