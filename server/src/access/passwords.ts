import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalid } from '../platform/errors.ts';

const LIST = join(import.meta.dirname, '../../common-passwords.txt');

/** Read lazily. Most entries are shorter than a password may be and never match. */
let commonPasswords: ReadonlySet<string> | undefined;

function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(LIST, 'utf8');
  // The file begins with its source and licence, up to the first empty line.
  return new Set(text.slice(text.indexOf('\n\n') + 2).split('\n'));
}

/** 422 at `loc` for a very common password. The operation's shape limits the length. */
export function refuseCommon(password: string, ...loc: string[]): void {
  commonPasswords ??= readCommonPasswords();
  if (!commonPasswords.has(password.toLowerCase())) return;
  throw invalid(loc, 'This password is among the most common ones; choose another');
}

/** 422 at `loc` for a password that contains the e-mail address. */
export function refuseAddressIn(password: string, email: string, ...loc: string[]): void {
  if (!password.toLowerCase().includes(email.toLowerCase())) return;
  throw invalid(loc, 'The password must not contain the e-mail address');
}
