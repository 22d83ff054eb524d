import { usageError } from './errors.ts';

/** An empty text clears the field, an absent one leaves it. */
export const orClear = <Value>(value: Value): Exclude<Value, ''> | null =>
  value === '' ? null : (value as Exclude<Value, ''>);

/** A single empty text clears the list. */
export const listOrClear = (texts: readonly string[] | undefined): string[] | undefined =>
  texts?.filter((text) => text !== '');

/** Throws CliError without any field. */
export function changesOf<Fields extends object>(fields: Fields): Fields {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) throw usageError('nothing to change: --help shows the options');
  return given as Fields;
}
