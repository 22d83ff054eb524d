import { type Document, entriesOf } from './document.ts';
import { fieldsText } from './fields.ts';
import { operationsText } from './operations.ts';
import { resourcesText } from './resources.ts';
import { shapeTexts } from './shapes.ts';

export async function generate(document: Document): Promise<Record<string, string>> {
  const entries = entriesOf(document);
  return {
    'fields.ts': fieldsText(entries),
    'operations.ts': operationsText(entries),
    'resources.ts': resourcesText(entries, Object.keys(document.components.schemas)),
    ...(await shapeTexts(document)),
  };
}
