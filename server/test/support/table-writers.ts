import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');
/** A statement that writes a table, or a declaration of rows that expire. */
const WRITE =
  /\b(?:insert into|delete from|merge into)\s+([a-z_]+)|\bupdate\s+([a-z_]+)(?=\s+(?:as\s+)?(?:[a-z]+\s+)?set\b)|\btable: '([a-z_]+)'/g;
const COMMENT = /^\s*(?:\/\/|\/?\*|--).*$/gm;

export const tablesWritten = (text: string): string[] => [
  ...new Set(
    [...text.replaceAll(COMMENT, '').matchAll(WRITE)].map(
      ([, table, updated, expiring]) => table ?? updated ?? expiring ?? '',
    ),
  ),
];

/** By statements, functions and triggers. */
export function writersOfTables(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!\.test)\.(ts|sql)$/.test(name)).toSorted()) {
    for (const table of tablesWritten(readFileSync(join(SRC, file), 'utf8')))
      writers.set(table, (writers.get(table) ?? new Set()).add(file.split('/')[0] ?? ''));
  }
  return writers;
}
