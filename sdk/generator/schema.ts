import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { type Content, type Described, type Document, isSuccess } from './document.ts';

/** `operations` and `components` are all that the client reads; `paths` would say the operations once more. */
const KEPT = ['operations', 'components'];

/**
 * The text of src/generated/schema.ts: the shapes of every operation, by openapi-typescript. What an operation answers
 * when it fails is left out, for all failures are told alike (ApiError), and so are examples.
 */
export async function schemaText(document: Document): Promise<string> {
  const nodes = await openapiTS(shapesAlone(document) as unknown as OpenAPI3, {
    // A field with a default may be left out of a request; an answer's fields are said to be required one by one.
    defaultNonNullable: false,
    silent: true,
  });
  const kept = nodes.filter((node) => ts.isInterfaceDeclaration(node) && KEPT.includes(node.name.text));
  if (kept.length !== KEPT.length) throw new Error(`openapi-typescript gave no ${KEPT.join(' or no ')}`);
  return COMMENT_HEADER + astToString(kept);
}

function shapesAlone(document: Document): Document {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => isSuccess(status)),
    );
    dropExamples(operation);
  }
  return copy;
}

function dropExamples({ parameters, requestBody, responses }: Described): void {
  const contents: Content[] = [...(requestBody ? [requestBody] : []), ...Object.values(responses)];
  const types = contents.flatMap(({ content = {} }) => Object.values(content));
  for (const one of [...parameters, ...types]) delete one.example;
}
