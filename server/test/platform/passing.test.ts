import pg from 'pg';
import { expect, it } from 'vitest';
import { passes } from '../../src/platform/db/passing.ts';
import { DatabaseUnreachable } from '../../src/platform/db/unreachable.ts';

const systemError = (syscall: string, code: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { syscall, code });

const serverError = (code: string) => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code });

it.each([
  ['a reset connection', systemError('read', 'ECONNRESET'), true],
  ['a refused connection', systemError('connect', 'ECONNREFUSED'), true],
  ['a name that is not known yet', systemError('getaddrinfo', 'ENOTFOUND'), true],
  ['a server that starts', serverError('57P03'), true],
  ['a missing certificate file', systemError('open', 'ENOENT'), false],
  ['a directory in place of a certificate', systemError('read', 'EISDIR'), false],
  ['a wrong password', serverError('28P01'), false],
])('%s', (_, cause, may) => {
  expect(passes(new DatabaseUnreachable(cause, false))).toBe(may);
});
