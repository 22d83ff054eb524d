import { stripVTControlCharacters } from 'node:util';

/** One line of untrusted text, without control characters. */
export const oneLine = (value: unknown): string => printable(String(value)).replace(/\s+/g, ' ').trim();

/** Untrusted text without control characters except newlines and tabs. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');

/** JSON of untrusted values without what terminals act on; it means the same. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Readable, still UTC. */
export const moment = (at: string | null): string => at?.replace('T', ' ').replace(/\.\d+Z$/, 'Z') ?? '';
