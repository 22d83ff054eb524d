import { stripVTControlCharacters } from 'node:util';

/** What others wrote, on one line and without what moves a cursor. */
export const oneLine = (value: unknown): string => printable(String(value)).replace(/\s+/g, ' ').trim();

/** What others wrote, without what moves a cursor; lines stay. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');

/** 2026-01-31T09:30:00.000Z as a person reads it, in UTC still. */
export const moment = (at: string | null): string => at?.replace('T', ' ').replace(/\.\d+Z$/, 'Z') ?? '';
