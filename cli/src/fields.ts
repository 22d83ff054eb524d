import { usageError } from './errors.ts';

/** An option's value in a change: an empty text clears the field, an absent one leaves it. */
export const orClear = <Value>(value: Value): Exclude<Value, ''> | null =>
  value === '' ? null : (value as Exclude<Value, ''>);

/** Repeated texts in a change: a single empty one clears the list. */
export const listOrClear = (texts: readonly string[] | undefined): string[] | undefined =>
  texts?.filter((text) => text !== '');

/** The fields that are given. Throws CliError when there are none. */
export function changesOf<Fields extends object>(fields: Fields): Fields {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) throw usageError('nothing to change: --help shows the options');
  return given as Fields;
}
