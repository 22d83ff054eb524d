import {
  checkStaffFields,
  readStaffCsv,
  type StaffFault,
  StaffFileError,
  withoutRepeats,
} from '@agent-control-plane/sdk/files';
import { type Document, nameOf, readBytes, readDocument } from './documents.ts';
import { usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

export interface StaffRow {
  readonly where: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** It is not sent then. */
  readonly fault?: StaffFault | undefined;
}

/** From CSV, or a list in YAML or JSON. Throws CliError for a file with a column that nobody knows. */
export async function readStaff(terminal: Terminal, path: string, isCsv: boolean): Promise<StaffRow[]> {
  const rows = isCsv
    ? inFile(path, csvRows(await readBytes(terminal, path)))
    : listIn(await readDocument(terminal, path));
  if (rows.length === 0) throw usageError(`${nameOf(path)} names nobody`);
  return rows;
}

const csvRows = (bytes: Buffer) => () =>
  readStaffCsv(bytes).rows.map(({ line, value, fault }) => ({ where: `line ${line}`, value, fault }));

function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StaffFileError) throw usageError(`${nameOf(path)}: ${error.message}`, error.hint);
    throw error;
  }
}

function listIn({ where, value }: Document): StaffRow[] {
  const staff = Array.isArray(value) ? value : (value as { staff?: unknown }).staff;
  if (!Array.isArray(staff)) throw usageError(`${where}: expected a list, or an object with "staff"`);
  const rows = staff.map((item: Record<string, unknown>, at) => {
    const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
    if (isObject)
      inFile(where, () => checkStaffFields(Object.keys(item), `item ${at + 1} has an unknown field`));
    return { where: `item ${at + 1}`, value: item };
  });
  return withoutRepeats(rows);
}
