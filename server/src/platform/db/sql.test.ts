import { expect, it } from 'vitest';
import { fragment, sql } from './sql.ts';

const count = (table: string) => sql`select count(*) from ${fragment(table)}`;

it('refuses another fragment than the one that a statement was prepared with', () => {
  count('shifts');
  expect(() => count('shifts')).not.toThrow();
  expect(() => count('assignments')).toThrow('A fragment differs from the one that was prepared: shifts');
});
