import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { type Content, type Described, type Document, isSuccess } from './document.ts';
import { HEADER } from './header.ts';

const COMMENT = /\/\*\*.*?\*\//gs;
/** Parts of openapi-typescript's output that the client does not need. */
const UNUSED = /^ *(?:(?:header|cookie)\?: never;|headers: \{\n *\[name: string\]: unknown;\n *\};)\n/gm;
const REFERENCE = /components\["schemas"\]\["(\w+)"\]/g;

const BYTES = ts.factory.createTypeReferenceNode('Uint8Array');

/**
 * shapes.ts has a type for each named shape, operation-shapes.ts the input and output of each operation. Error
 * responses are omitted, because all become ApiError.
 */
export async function shapeTexts(document: Document): Promise<Record<string, string>> {
  const nodes = await openapiTS(withoutErrorsAndExamples(document) as unknown as OpenAPI3, {
    // Responses list even fields with a default as required; requests do not.
    defaultNonNullable: false,
    silent: true,
    transform: (schema) => ('contentMediaType' in schema ? BYTES : undefined),
  });
  const interfaceOf = (name: string) =>
    nodes.filter(ts.isInterfaceDeclaration).filter((node) => node.name.text === name);
  const shapes = interfaceOf('components').flatMap(({ members }) => membersOf(members, 'schemas'));
  const operations = textOf(interfaceOf('operations'));
  return {
    'shapes.ts': HEADER + textOf(shapes.map(toType)),
    'operation-shapes.ts': `${HEADER}${importOfShapes(operations, Object.keys(document.components.schemas))}\n${operations}`,
  };
}

export function importOfShapes(text: string, shapes: readonly string[]): string {
  const words = new Set(text.replaceAll(COMMENT, '').match(/\w+/g));
  const used = shapes.filter((name) => words.has(name));
  return used.length === 0 ? '' : `import type {\n  ${used.join(',\n  ')},\n} from './shapes.ts';\n`;
}

const textOf = (nodes: ts.Node[]) => astToString(nodes).replaceAll(REFERENCE, '$1').replaceAll(UNUSED, '');

function membersOf(members: ts.NodeArray<ts.TypeElement>, name: string): ts.PropertySignature[] {
  const [own] = members.filter(ts.isPropertySignature).filter((member) => nameOf(member) === name);
  if (!own?.type || !ts.isTypeLiteralNode(own.type)) throw new Error(`openapi-typescript gave no ${name}`);
  return own.type.members.filter(ts.isPropertySignature);
}

const nameOf = ({ name }: ts.PropertySignature) => (ts.isIdentifier(name) ? name.text : '');

/** An alias, because an interface is not assignable to a Record. */
function toType(member: ts.PropertySignature): ts.TypeAliasDeclaration {
  if (!member.type) throw new Error(`openapi-typescript gave no type of ${nameOf(member)}`);
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const alias = ts.factory.createTypeAliasDeclaration(exported, nameOf(member), undefined, member.type);
  return ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member));
}

function withoutErrorsAndExamples(document: Document): Document {
  const copy = structuredClone(document);
  copy.components = { schemas: copy.components.schemas };
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => isSuccess(status)),
    );
    for (const response of Object.values(operation.responses)) delete response.headers;
    dropExamples(operation);
  }
  return copy;
}

function dropExamples({ parameters, requestBody, responses }: Described): void {
  const contents: Content[] = [...(requestBody ? [requestBody] : []), ...Object.values(responses)];
  const types = contents.flatMap(({ content = {} }) => Object.values(content));
  for (const one of [...parameters, ...types]) delete one.example;
  for (const { schema } of parameters) delete schema.examples;
}
