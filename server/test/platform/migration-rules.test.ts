import { expect, it } from 'vitest';
import { numberOf, readSchema } from '../../src/platform/db/schema-files.ts';

/**
 * The first two create a new database; later ones run while older copies of the service work
 * (docs/run-a-server.md, Upgrades).
 */
const FIRST_CAREFUL = 3;

/** Each blocks others during its work, or removes something that an older copy of the service uses. */
const LOCKING: readonly (readonly [RegExp, string])[] = [
  [/\block\s+table\b/i, 'locks a table'],
  [/\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i, 'rewrites a table'],
  [
    /\balter\s+column\s+\w+\s+set\s+not\s+null\b/i,
    'reads a table under its lock: add a check that is not valid',
  ],
  [
    /\badd\s+constraint\b(?![^;]*\bnot\s+valid\b)/i,
    'reads a table under its lock: say "not valid", and validate later',
  ],
  [
    /\b(rename|drop\s+(table|column))\b/i,
    'takes away what older copies use: say "-- contracts: …" once none is left',
  ],
];

const faultsOf = (text: string) =>
  /^-- contracts: /m.test(text)
    ? []
    : LOCKING.filter(([pattern]) => pattern.test(text)).map(([, why]) => why);

it('new migrations block nobody and name the oldest version that may run beside them', async () => {
  const careful = (await readSchema()).migrations.filter(({ name }) => numberOf(name) >= FIRST_CAREFUL);
  for (const { name, text } of careful) {
    expect([name, ...faultsOf(text)]).toEqual([name]);
    expect(text, `${name} begins with "-- oldest service: <number of a migration>"`).toMatch(
      /^-- oldest service: \d{4}$/m,
    );
  }
});

it.each([
  'lock table staff',
  'alter table staff alter column name type citext',
  'alter table staff alter column name set not null',
  'alter table staff add constraint short check (length(name) < 9)',
  'alter table staff rename column name to called',
  'alter table staff drop column name',
])('%s is refused', (text) => {
  expect(faultsOf(text)).toHaveLength(1);
});

it.each([
  'alter table staff add column nickname text',
  'alter table staff add constraint short check (length(name) < 9) not valid',
  'alter table staff validate constraint short',
  '-- contracts: no version before 0060 runs any more\nalter table staff drop column name',
])('%s is allowed', (text) => {
  expect(faultsOf(text)).toEqual([]);
});
