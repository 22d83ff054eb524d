import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalid } from '../platform/errors.ts';

const LIST = join(import.meta.dirname, '../../common-passwords.txt');

/** Read at first use. Most of its entries are shorter than a password may be, so they never match. */
let commonPasswords: ReadonlySet<string> | undefined;

function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(LIST, 'utf8');
  // A note of source and licence stands in front, up to the first empty line.
  return new Set(text.slice(text.indexOf('\n\n') + 2).split('\n'));
}

/** Refuses a new password that is among the most common ones (422 at `loc`). Its length is checked by the operation. */
export function refuseCommon(password: string, ...loc: string[]): void {
  commonPasswords ??= readCommonPasswords();
  if (!commonPasswords.has(password.toLowerCase())) return;
  throw invalid(loc, 'This password is among the most common ones; choose another');
}

/** Refuses a new password that contains the address of its account (422 at `loc`). */
export function refuseAddressIn(password: string, email: string, ...loc: string[]): void {
  if (!password.toLowerCase().includes(email.toLowerCase())) return;
  throw invalid(loc, 'The password must not contain the e-mail address');
}
