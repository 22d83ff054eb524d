import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabaseUnreachable, orUnreachable } from '../../src/platform/db/unreachable.ts';

const errorWith = (code: string) => Object.assign(new pg.DatabaseError('words', 5, 'error'), { code });

describe('an error of the server', () => {
  it.each([
    ['08006', 'the connection failed'],
    ['25P03', 'the session was idle in a transaction, as that of a service that was suspended'],
    ['25P04', 'the transaction took too long'],
    ['57P01', 'the session was cut off'],
    ['57P05', 'the session was idle'],
  ])('%s, %s, ends the connection', (code) => {
    expect(orUnreachable(errorWith(code))).toBeInstanceOf(DatabaseUnreachable);
  });

  it.each(['23505', '25006', '25P02', '40P01', '53300', '57014'])('%s is about the statement', (code) => {
    const error = errorWith(code);
    expect(orUnreachable(error)).toBe(error);
  });
});
