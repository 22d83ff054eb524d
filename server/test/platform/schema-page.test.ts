import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { schemaPage } from '../support/schema-page.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('docs/schema.md matches the database and the SQL of the rooms (npm run schema)', async () => {
  await expect(await schemaPage(database)).toMatchFileSnapshot('../../../docs/schema.md');
});

it('each room lists its tables in its tables.sql', async () => {
  const rooms = (await schemaPage(database)).matchAll(/^\| \[(\w+)\]\(#\w+\) \| (.*) \|$/gm);
  const views = (await database.query<{ name: string }>(`select viewname as name from pg_views`)).map(
    ({ name }) => name,
  );
  for (const [, room = '', listed = ''] of rooms) {
    const file = readFileSync(join(import.meta.dirname, '../../src', room, 'tables.sql'), 'utf8');
    const tables = listed.split(', ').filter((name) => !views.includes(name));
    expect(file.replaceAll(/\n-- /g, ' '), room).toContain(
      `-- The tables of this room: ${tables.join(', ')}.`,
    );
  }
});
