import { CsvError, parse } from 'csv-parse/sync';
import { nameOf, readDocument, readText } from './documents.ts';
import { usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

export interface StaffRow {
  readonly where: string;
  readonly value: Record<string, unknown>;
}

const TEXTS = ['name', 'email', 'phone', 'role', 'availability_notes', 'external_id'] as const;
const COLUMNS: readonly string[] = [...TEXTS, 'skills', 'certifications', 'inductions', 'tier'];

/** From CSV, or a list in YAML or JSON. Throws CliError. */
export async function readStaff(terminal: Terminal, path: string, isCsv: boolean): Promise<StaffRow[]> {
  const rows = isCsv ? recordsOf(await readText(terminal, path), path) : await listIn(terminal, path);
  if (rows.length === 0) throw usageError(`${nameOf(path)} names nobody`);
  return rows;
}

async function listIn(terminal: Terminal, path: string): Promise<StaffRow[]> {
  const { where, value } = await readDocument(terminal, path);
  const staff = Array.isArray(value) ? value : (value as { staff?: unknown }).staff;
  if (!Array.isArray(staff)) throw usageError(`${where}: expected a list, or an object with "staff"`);
  return staff.map((item, at) => ({ where: `item ${at + 1}`, value: item }));
}

/** The first line names the columns. Empty cells are omitted. */
function recordsOf(text: string, path: string): StaffRow[] {
  const found = parsed(text, path);
  const unknown = Object.keys(found[0]?.record ?? {}).filter((column) => !COLUMNS.includes(column));
  if (unknown.length > 0)
    throw usageError(
      `${nameOf(path)}: unknown column ${unknown.join(', ')}`,
      `columns: ${COLUMNS.join(', ')}`,
    );
  return found.map(({ record, info }) => {
    const cells = Object.entries(record).filter(([, cell]) => cell !== '');
    const value = Object.fromEntries(cells.map(([column, cell]) => [column, valueOf(column, cell)]));
    return { where: `line ${info.lines}`, value };
  });
}

interface Line {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number };
}

function parsed(text: string, path: string): Line[] {
  try {
    const options = { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true } as const;
    return parse(text, options) as unknown as Line[];
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${nameOf(path)}: ${error.message}`);
    throw error;
  }
}

function valueOf(column: string, cell: string): unknown {
  const items = () => cell.split(';').flatMap((item) => item.trim() || []);
  if (column === 'tier') return /^\d+$/.test(cell) ? Number(cell) : cell;
  if (column === 'skills') return items();
  if (column === 'certifications') return items().map((item) => expiring('type', item));
  if (column === 'inductions') return items().map((item) => expiring('site', item));
  return cell;
}

/** Such as "first_aid:2030-01-31", or a name alone. */
export function expiring(label: 'type' | 'site', text: string): string | Record<string, string> {
  const [, name, expires_at] = /^(.+):(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  return name && expires_at ? { [label]: name.trim(), expires_at } : text;
}
