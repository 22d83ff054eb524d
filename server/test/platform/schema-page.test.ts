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
