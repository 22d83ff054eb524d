import { Option } from '@commander-js/extra-typings';
import { readDocument } from './documents.ts';
import { usageError } from './errors.ts';

export const overrideOption = () =>
  new Option(
    '--override <path>',
    'a merge patch (RFC 7396) on the recipe’s fields, YAML or JSON; - is standard input',
  );

/** The overrides of a file as the API takes them; none without a file. */
export async function readOverrides(
  path: string | undefined,
): Promise<{ instance_overrides?: Record<string, unknown> }> {
  if (path === undefined) return {};
  const { where, value } = await readDocument(path);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageError(`${where}: it is no object`);
  return { instance_overrides: value as Record<string, unknown> };
}
