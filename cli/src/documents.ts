import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeText, ENCODING_HINT } from '@agent-control-plane/sdk/files';
import { parseAllDocuments } from 'yaml';
import { usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/** `where` is its place for messages. */
export interface Document {
  readonly where: string;
  readonly value: unknown;
}

export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Reads the non-empty documents of a YAML or JSON file (- is standard input). Throws CliError. */
export async function readDocuments(terminal: Terminal, path: string): Promise<Document[]> {
  const name = nameOf(path);
  // A number would lose digits of a long integer.
  const parsed = parseAllDocuments(await readText(terminal, path), { intAsBigInt: true });
  const documents = [...parsed].map((document, at) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw usageError(`${name}: ${fault.message.split('\n')[0]?.replace(/:$/, '')}`);
    return { where: parsed.length > 1 ? `${name}, document ${at + 1}` : name, value: toJson(document, name) };
  });
  const found = documents.filter(({ value }) => value !== null);
  if (found.length === 0) throw usageError(`${name} is empty`);
  return found;
}

/** Throws CliError for several documents. */
export async function readDocument(terminal: Terminal, path: string): Promise<Document> {
  const [document, ...others] = await readDocuments(terminal, path);
  if (!document || others.length > 0) throw usageError(`${path} has more than one document`);
  return document;
}

/** Throws CliError for anything but one object. */
export const readObject = async (terminal: Terminal, path: string): Promise<Record<string, unknown>> =>
  objectOf(await readDocument(terminal, path), 'object');

/** @param kind names the expected object in the CliError */
export function objectOf({ where, value }: Document, kind: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageError(`${where}: expected ${kind === 'object' ? 'an object' : `a ${kind}`}`);
  return value as Record<string, unknown>;
}

/** `-` is standard input. Throws CliError. */
async function readText(terminal: Terminal, path: string): Promise<string> {
  const { text, badLine } = decodeText(await readBytes(terminal, path));
  if (badLine !== undefined)
    throw usageError(`${nameOf(path)}: line ${badLine}: the bytes are not UTF-8`, ENCODING_HINT);
  return text;
}

/** `-` is standard input. Throws CliError. */
export async function readBytes({ stdin }: Terminal, path: string): Promise<Buffer> {
  if (path === '-') return buffer(stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw usageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Refuses numbers that JSON cannot hold, and aliases that expand without limit. */
function toJson(document: { toJS(): unknown }, name: string): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS(), asNumber));
  } catch (error) {
    throw usageError(`${name}: ${(error as Error).message}`);
  }
}

function asNumber(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`JSON has no number ${value}`);
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  // A float has only the digits that distinguish it, so equal values may differ as texts.
  const isKept = String(number) === String(value) || (Number.isFinite(number) && BigInt(number) === value);
  if (!isKept) throw new RangeError(`a number at "${key}" has too many digits: put it in quotes`);
  return number;
}
