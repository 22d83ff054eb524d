import type { StaffRecord } from '@agent-control-plane/sdk';
import { STAFF_COLUMNS, type StaffColumn, type StaffFile } from '@agent-control-plane/sdk/files';
import { type ProofKind, readProof } from './certificates.ts';
import { toCsv } from './csv.ts';

/** The service takes so many rows in one call. */
export const ROWS_OF_A_CALL = 200;

export interface RowFault {
  /** Position of the row in the file, from 0. */
  row: number;
  words: string;
}

/** The faults that the file itself shows; these rows are not sent. */
export const faultsIn = ({ rows }: StaffFile): RowFault[] =>
  rows.flatMap(({ fault }, row) => (fault ? [{ row, words: `${fault.field}: ${fault.msg}` }] : []));

export function inCalls<Row>(rows: readonly Row[]): Row[][] {
  const calls: Row[][] = [];
  for (let from = 0; from < rows.length; from += ROWS_OF_A_CALL)
    calls.push(rows.slice(from, from + ROWS_OF_A_CALL));
  return calls;
}

/** The rows that were not taken, as they came, each with its fault behind it. */
export function faultsCsv({ columns, rows }: StaffFile, faults: readonly RowFault[]): string {
  const words = new Map<number, string[]>();
  for (const { row, words: said } of faults) words.set(row, [...(words.get(row) ?? []), said]);
  const lines = [...words].map(([row, said]) => [
    ...columns.map((_, at) => rows[row]?.cells[at] ?? ''),
    said.join('; '),
  ]);
  return toCsv([[...columns.map((name) => name ?? ''), 'fault'], ...lines]);
}

type Person = Pick<StaffRecord, Exclude<StaffColumn, 'certifications' | 'inductions'>> & {
  certifications: readonly unknown[];
  inductions: readonly unknown[];
};

const proofs = (kind: ProofKind, stored: readonly unknown[]) =>
  stored
    .map((each) => readProof(kind, each))
    .map(({ name, ends }) => (ends === '' ? name : `${name}:${ends}`))
    .join('; ');

/** A file of people, which an import reads again. */
export const staffCsv = (staff: readonly Person[]): string =>
  toCsv([
    STAFF_COLUMNS,
    ...staff.map((person) => [
      person.name,
      person.email,
      person.phone,
      person.role,
      person.skills.join('; '),
      proofs('type', person.certifications),
      proofs('site', person.inductions),
      person.tier,
      person.availability_notes,
      person.external_id,
    ]),
  ]);

export const STAFF_EXAMPLE = toCsv([
  STAFF_COLUMNS,
  [
    'Ana Silva',
    'ana@example.com',
    '+61 400 000 001',
    'employee',
    'forklift; crane',
    'first_aid:2027-03-31',
    'Pier 4:2027-03-31',
    2,
    'not on Mondays',
    'A-17',
  ],
]);
