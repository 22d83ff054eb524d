import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations, wording } from './areas.ts';
import { openApiDocument, openApiText } from './platform/contract/openapi.ts';

await writeFile(
  join(import.meta.dirname, '../openapi.json'),
  openApiText(openApiDocument(operations, wording)),
);
