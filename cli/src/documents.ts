import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { usageError } from './errors.ts';
import { readInput } from './input.ts';

/** A value of a file, and where it stands for messages. */
export interface Document {
  readonly where: string;
  readonly value: unknown;
}

/** The documents of a YAML or JSON file (- is standard input); empty ones do not count. Throws CliError. */
export async function readDocuments(path: string): Promise<Document[]> {
  const name = path === '-' ? 'standard input' : path;
  // Whole numbers as they are written: as a number, a long one would be another one.
  const parsed = parseAllDocuments(await textOf(path), { intAsBigInt: true });
  const documents = [...parsed].map((document, at) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw usageError(`${name}: ${fault.message.split('\n')[0]?.replace(/:$/, '')}`);
    return { where: parsed.length > 1 ? `${name}, document ${at + 1}` : name, value: plain(document, name) };
  });
  const found = documents.filter(({ value }) => value !== null);
  if (found.length === 0) throw usageError(`${name} is empty`);
  return found;
}

/** The one document of a file. Throws CliError where there are several. */
export async function readDocument(path: string): Promise<Document> {
  const [document, ...others] = await readDocuments(path);
  if (!document || others.length > 0) throw usageError(`${path} has more than one document`);
  return document;
}

/** The one object of a file. Throws CliError where it is something else. */
export const readObject = async (path: string): Promise<Record<string, unknown>> =>
  objectOf(await readDocument(path), 'object');

/** @param kind what it is to be, for the CliError where it is no object */
export function objectOf({ where, value }: Document, kind: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageError(`${where}: it is no ${kind}`);
  return value as Record<string, unknown>;
}

async function textOf(path: string): Promise<string> {
  if (path === '-') return readInput();
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** As JSON has it; YAML knows numbers that JSON would make null of, and references may grow without an end. */
function plain(document: { toJS(): unknown }, name: string): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS(), asNumber));
  } catch (error) {
    throw usageError(`${name}: ${(error as Error).message}`);
  }
}

function asNumber(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${value} is no number of JSON`);
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  // What is made of a number is written with as many digits as tell it from others, not with all.
  const isKept = String(number) === String(value) || (Number.isFinite(number) && BigInt(number) === value);
  if (!isKept) throw new RangeError(`a number at "${key}" has too many digits: put it in quotes`);
  return number;
}
