import { Option } from '@commander-js/extra-typings';
import { readObject } from './documents.ts';
import type { Terminal } from './terminal.ts';

export const overrideOption = () =>
  new Option(
    '--override <path>',
    'a merge patch (RFC 7396) on the recipe’s fields, YAML or JSON; - is standard input',
  );

export async function readOverrides(
  terminal: Terminal,
  path: string | undefined,
): Promise<{ instance_overrides?: Record<string, unknown> }> {
  if (path === undefined) return {};
  return { instance_overrides: await readObject(terminal, path) };
}
