import { stripVTControlCharacters } from 'node:util';

/** Untrusted text on one line, without control characters. */
export const oneLine = (value: unknown): string => printable(String(value)).replace(/\s+/g, ' ').trim();

/** Untrusted text without control characters except newlines and tabs. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');

/** 2026-01-31T09:30:00.000Z in a readable form, still UTC. */
export const moment = (at: string | null): string => at?.replace('T', ' ').replace(/\.\d+Z$/, 'Z') ?? '';
