import { type Document, entriesOf } from './document.ts';
import { operationsText } from './operations.ts';
import { resourcesText } from './resources.ts';
import { shapeTexts } from './shapes.ts';

/** Generates the files of src/generated, by name, from the OpenAPI document. */
export async function generate(document: Document): Promise<Record<string, string>> {
  const entries = entriesOf(document);
  return {
    'operations.ts': operationsText(entries),
    'resources.ts': resourcesText(entries, Object.keys(document.components.schemas)),
    ...(await shapeTexts(document)),
  };
}
