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
  const over = LISTS.filter(({ path, most }) => lengthAt(configuration, path) > most);
  if (over.length === 0) return;
  const former = before?.();
  const faults = over
    .filter(({ path }) => lengthAt(configuration, path) > lengthAt(former, path))
    .map(({ path, most }) => tooLong([...loc, ...path], `List should have at most ${most} items`));
  if (faults.length > 0) throw new ValidationError(faults);
}

export const areWithinBounds = (configuration: JsonObject): boolean =>
  LISTS.every(({ path, most }) => lengthAt(configuration, path) <= most);

function lengthAt(configuration: unknown, path: readonly string[]): number {
  let value = configuration;
  for (const key of path) value = isJsonObject(value) ? ownMember(value, key) : undefined;
  return Array.isArray(value) ? value.length : 0;
}
