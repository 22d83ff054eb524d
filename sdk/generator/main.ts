import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from './document.ts';
import { generate } from './generate.ts';

const ROOT = join(import.meta.dirname, '../../..');

const document = JSON.parse(await readFile(join(ROOT, 'server/openapi.json'), 'utf8')) as Document;
for (const [name, text] of Object.entries(await generate(document))) {
  await writeFile(join(ROOT, 'sdk/src/generated', name), text);
}
