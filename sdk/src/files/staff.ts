import { CsvError, parse } from 'csv-parse/sync';
import { STAFF_COLUMNS, type StaffColumn } from './staff-columns.ts';
import { decodeText } from './text.ts';

export interface StaffFault {
  readonly field: string;
  readonly msg: string;
}

export interface StaffRow {
  /** Its last line in the file, from 1. */
  readonly line: number;
  /** As they stand in the file, by position. */
  readonly cells: readonly string[];
  /** A person as `importCustomerStaff` takes it. Empty cells are left out: a known person keeps those fields. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The row must not be sent then: the API would store what nobody meant. */
  readonly fault?: StaffFault | undefined;
}

export interface StaffFile {
  /** By position; undefined for an empty column without a name. */
  readonly columns: readonly (StaffColumn | undefined)[];
  readonly rows: readonly StaffRow[];
}

/** The file as a whole is not read: a column that nobody knows, bytes that are no text. */
export class StaffFileError extends Error {
  override readonly name = 'StaffFileError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

const COLUMNS_HINT = `columns: ${STAFF_COLUMNS.join(', ')}`;
export const ENCODING_HINT = 'save the file as UTF-8; of UTF-16 the byte order mark is needed';

/**
 * People from CSV, with commas, semicolons or tabs; the first line names the columns. A cell with several skills,
 * certifications or inductions has semicolons between them.
 * @throws StaffFileError
 */
export function readStaffCsv(bytes: Uint8Array): StaffFile {
  const { text, badLine } = decodeText(bytes);
  if (badLine !== undefined)
    throw new StaffFileError(`${placeIn(text) ?? `line ${badLine}`}: the bytes are not UTF-8`, ENCODING_HINT);
  const [head, ...lines] = linesOf(text);
  const columns = columnsOf(head?.record ?? [], lines);
  const rows = lines.map(({ record, line }) => ({
    line,
    cells: record,
    ...personIn(columns, record),
  }));
  return { columns, rows: withoutRepeats(rows) };
}

/** Marks who has the external_id of an earlier row: in a later call the API would take it for a change. */
export function withoutRepeats<
  Row extends { readonly value: unknown; readonly fault?: StaffFault | undefined },
>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const id = (row.value as { external_id?: unknown } | null)?.external_id;
    if (typeof id !== 'string') return row;
    if (seen.has(id)) return { ...row, fault: { field: 'external_id', msg: 'an earlier row has it' } };
    seen.add(id);
    return row;
  });
}

/** @throws StaffFileError for a field that nobody knows */
export function checkStaffFields(names: readonly string[], where: string): void {
  const unknown = names.filter((name) => !isColumn(name));
  if (unknown.length > 0) throw new StaffFileError(`${where} ${unknown.join(', ')}`, COLUMNS_HINT);
}

interface Line {
  readonly record: readonly string[];
  /** Its last one, from 1. */
  readonly line: number;
}

const isColumn = (name: string): name is StaffColumn => STAFF_COLUMNS.some((each) => each === name);

function columnsOf(head: readonly string[], lines: readonly Line[]): (StaffColumn | undefined)[] {
  const names = head.map((heading) => heading.toLowerCase().replaceAll(/[ -]+/g, '_'));
  const isUsed = (at: number) => lines.some(({ record }) => record[at] !== '');
  checkStaffFields(
    names.filter((name, at) => name !== '' || isUsed(at)).map((name) => name || '""'),
    'unknown column',
  );
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) throw new StaffFileError(`the column ${twice} is there twice`);
  return names.map((name) => (isColumn(name) ? name : undefined));
}

function personIn(
  columns: StaffFile['columns'],
  record: readonly string[],
): Pick<StaffRow, 'value' | 'fault'> {
  const cells = record.flatMap((cell, at) => {
    const column = columns[at];
    return cell === '' || column === undefined ? [] : [[column, withoutMark(cell)] as const];
  });
  return {
    value: Object.fromEntries(cells.map(([column, cell]) => [column, valueOf(column, cell)])),
    fault: cells.map(([column, cell]) => faultOf(column, cell)).find((fault) => fault !== undefined),
  };
}

/** Files that the dashboard writes have it in front of a cell that a spreadsheet would run (CWE-1236). */
const withoutMark = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');

/** The first cell with the character that replaces what is no text; undefined where the lines cannot be told either. */
function placeIn(text: string): string | undefined {
  try {
    const [head, ...lines] = linesOf(text);
    const line = lines.find(({ record }) => record.some(isBroken));
    return line && `line ${line.line}: ${head?.record[line.record.findIndex(isBroken)]}`;
  } catch {
    return undefined;
  }
}

const isBroken = (cell: string) => /[\0\uFFFD]/.test(cell);

/** A line with which Excel is told the delimiter. */
const SEPARATOR = /^"?sep=(.)"?[ \t]*(?=\r?\n)/i;

function linesOf(text: string): Line[] {
  const told = SEPARATOR.exec(text);
  const found: Line[] = [];
  try {
    parse(told ? text.slice(told[0].length) : text, {
      delimiter: told?.[1] ?? delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (record: string[], { lines }) => {
        found.push({ record, line: lines });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw new StaffFileError(error.message);
    throw error;
  }
  return found;
}

/** Excel writes semicolons where the comma is a decimal sign. The header tells: none of its names has either. */
function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const columns = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (columns(one) > columns(best) ? one : best));
}

const LISTS: readonly StaffColumn[] = ['skills', 'certifications', 'inductions'];

function valueOf(column: StaffColumn, cell: string): unknown {
  if (LISTS.includes(column)) return cell.split(';').flatMap((item) => item.trim() || []);
  return column === 'tier' && /^\d+$/.test(cell) ? Number(cell) : cell;
}

const ROUNDED = /^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i;

/** The fault of a cell that is text to the API, and plainly not meant as this text. */
function faultOf(field: StaffColumn, cell: string): StaffFault | undefined {
  if ((field === 'phone' || field === 'external_id') && ROUNDED.test(cell))
    return { field, msg: `a spreadsheet has rounded ${cell}; format its column as text` };
  if (field === 'skills' && /[,|]/.test(cell))
    return { field, msg: 'several are separated by semicolons, and none has a comma or a bar' };
  return undefined;
}
