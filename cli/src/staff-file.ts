import { CsvError, parse } from 'csv-parse/sync';
import { type Document, nameOf, notText, readBytes, readDocument } from './documents.ts';
import { decode } from './encodings.ts';
import { usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

export interface StaffRow {
  readonly where: string;
  readonly value: Record<string, unknown>;
  /** It is not sent then. */
  readonly fault?: Fault | undefined;
}

interface Fault {
  readonly field: string;
  readonly msg: string;
}

const TEXTS = ['name', 'email', 'phone', 'role', 'availability_notes', 'external_id'] as const;
const COLUMNS: readonly string[] = [...TEXTS, 'skills', 'certifications', 'inductions', 'tier'];
const HINT = `columns: ${COLUMNS.join(', ')}`;

/** From CSV, or a list in YAML or JSON. Throws CliError for a file with a column that nobody knows. */
export async function readStaff(terminal: Terminal, path: string, isCsv: boolean): Promise<StaffRow[]> {
  const rows = isCsv
    ? recordsOf(await readBytes(terminal, path), path)
    : listIn(await readDocument(terminal, path));
  if (rows.length === 0) throw usageError(`${nameOf(path)} names nobody`);
  return withoutRepeats(rows);
}

function listIn({ where, value }: Document): StaffRow[] {
  const staff = Array.isArray(value) ? value : (value as { staff?: unknown }).staff;
  if (!Array.isArray(staff)) throw usageError(`${where}: expected a list, or an object with "staff"`);
  return staff.map((item: Record<string, unknown>, at) => {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
    const unknown = isObject ? Object.keys(item).filter((field) => !COLUMNS.includes(field)) : [];
    if (unknown.length > 0)
      throw usageError(`${where}: item ${at + 1} has an unknown field ${unknown.join(', ')}`, HINT);
    return { where: `item ${at + 1}`, value: item };
  });
}

/** The API would take one in a later batch for a change. */
function withoutRepeats(rows: readonly StaffRow[]): StaffRow[] {
  const seen = new Set<unknown>();
  return rows.map((row) => {
    const external_id: unknown = row.value?.external_id;
    if (typeof external_id !== 'string') return row;
    if (seen.has(external_id))
      return { ...row, fault: { field: 'external_id', msg: 'an earlier row has it' } };
    seen.add(external_id);
    return row;
  });
}

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The first line names the columns. Empty cells are omitted. */
function recordsOf(bytes: Buffer, path: string): StaffRow[] {
  const { text, badLine } = decode(bytes);
  if (badLine !== undefined) throw notText(path, placeIn(text) ?? `line ${badLine}`);
  const [head, ...lines] = linesOf(text, path);
  const columns = (head?.record ?? []).map((column) => column.toLowerCase().replaceAll(/[ -]+/g, '_'));
  const isUsed = (at: number) => lines.some(({ record }) => record[at] !== '');
  const unknown = columns.filter((column, at) => !COLUMNS.includes(column) && (column !== '' || isUsed(at)));
  if (unknown.length > 0)
    throw usageError(`${nameOf(path)}: unknown column ${unknown.map((one) => one || '""').join(', ')}`, HINT);
  const twice = columns.find((column, at) => column !== '' && columns.indexOf(column) !== at);
  if (twice !== undefined) throw usageError(`${nameOf(path)}: the column ${twice} is there twice`);
  return lines.map(({ record, info }) => {
    const cells = record.flatMap((cell, at) => (cell === '' ? [] : [[columns[at] ?? '', cell] as const]));
    const value = Object.fromEntries(cells.map(([column, cell]) => [column, valueOf(column, cell)]));
    const fault = cells.map(([column, cell]) => faultOf(column, cell)).find(Boolean);
    return { where: `line ${info.lines}`, value, fault };
  });
}

/** The first cell with the character that replaces what is no text; undefined where the lines cannot be told either. */
function placeIn(text: string): string | undefined {
  try {
    const [head, ...lines] = linesOf(text, '');
    const line = lines.find(({ record }) => record.some(isBroken));
    return line && `line ${line.info.lines}: ${head?.record[line.record.findIndex(isBroken)]}`;
  } catch {
    return undefined;
  }
}

const isBroken = (cell: string) => /[\0\uFFFD]/.test(cell);

/** A line with which Excel is told the delimiter. */
const SEPARATOR = /^"?sep=(.)"?[ \t]*(?=\r?\n)/i;

function linesOf(text: string, path: string): Line[] {
  const told = SEPARATOR.exec(text);
  try {
    return parse(told ? text.slice(told[0].length) : text, {
      delimiter: told?.[1] ?? delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
    }) as unknown as Line[];
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${nameOf(path)}: ${error.message}`);
    throw error;
  }
}

/** Excel writes semicolons where the comma is a decimal sign. The header tells: none of its names has either. */
function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const columns = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (columns(one) > columns(best) ? one : best));
}

function valueOf(column: string, cell: string): unknown {
  if (column === 'tier') return /^\d+$/.test(cell) ? Number(cell) : cell;
  const isText = (TEXTS as readonly string[]).includes(column);
  return isText ? cell : cell.split(';').flatMap((item) => item.trim() || []);
}

const ROUNDED = /^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i;

/** The fault of a cell that is text to the API, and plainly not meant as this text. */
function faultOf(field: string, cell: string): Fault | undefined {
  if ((field === 'phone' || field === 'external_id') && ROUNDED.test(cell))
    return { field, msg: `a spreadsheet has rounded ${cell}; format its column as text` };
  if (field === 'skills' && cell.includes(','))
    return { field, msg: 'several are separated by semicolons, and none has a comma' };
  return undefined;
}
