import { bodyOf, type Described, type Schema, successOf, takesFile } from './document.ts';
import { credentialsOf, pageOf } from './operations.ts';

interface Argument {
  text: string;
  expression: string;
  required: boolean;
}

interface Method {
  name: string;
  text: string;
}

/** The name of a shape or of a list of shapes, otherwise `other`. */
const typeOf = (schema: Schema | undefined, other: string): string => {
  if (schema?.name !== undefined) return schema.name;
  return schema?.items?.name === undefined ? other : `${schema.items.name}[]`;
};

/** A list with pages gets a second method for all rows. */
export function methodsOf(path: string, operation: Described, name: string): Method[] {
  const { operationId: id } = operation;
  const params = argumentsOf(path, operation);
  const signature = [...params.map(({ text }) => text), 'options?: CallOptions'].join(', ');
  const input = inputOf(path, params);
  // An answer that may be empty has no shape of its own.
  const answer = '204' in operation.responses ? undefined : successOf(operation)['application/json']?.schema;
  const one = {
    name,
    text: `${docs(operation)}
  ${name}(${signature}): Promise<${typeOf(answer, `Result<'${id}'>`)}> {
    return this.caller.call('${id}', ${input}, options);
  }`,
  };
  const page = pageOf(operation);
  if (!page) return [one];
  const row = typeOf(answer?.properties?.[page.items]?.items, `Item<'${id}'>`);
  const all = name.replace(/^list/, 'listAll');
  const text = `  /** Every row of \`${name}\`, page after page as they are asked for. Rows that are deleted meanwhile shift others past it. */
  ${all}(${signature}): AsyncGenerator<${row}, void> {
    return this.caller.each('${id}', ${input}, options);
  }`;
  return [one, { name: all, text }];
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The query comes last, because it is often optional; what is required comes first. */
function argumentsOf(path: string, operation: Described): Argument[] {
  const { operationId: id, parameters } = operation;
  const idTypeOf = (name: string) =>
    parameters.find((parameter) => parameter.name === name)?.schema.type === 'integer' ? 'number' : 'string';
  const ids = pathNames(path).map((name) => ({
    text: `${name}: ${idTypeOf(name)}`,
    expression: name,
    required: true,
  }));
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const query = argument(
    'query',
    `Query<'${id}'>`,
    queries.some(({ required }) => required),
  );
  const schema = bodyOf(operation);
  const body = argument('body', typeOf(schema, `Body<'${id}'>`), operation.requestBody?.required === true);
  const file = argument('body', `Body<'${id}'>`, true);
  const bodies = takesFile(operation) ? [file] : schema ? [body] : [];
  const others = [...bodies, ...(queries.length > 0 ? [query] : [])];
  return [...ids, ...others.toSorted((a, b) => Number(b.required) - Number(a.required))];
}

const argument = (name: string, type: string, required: boolean): Argument => ({
  text: `${name}${required ? '' : '?'}: ${type}`,
  expression: name,
  required,
});

function inputOf(path: string, params: readonly Argument[]): string {
  const names = pathNames(path);
  const rest = params.map(({ expression }) => expression).filter((expression) => !names.includes(expression));
  const fields = [...(names.length > 0 ? [`path: { ${names.join(', ')} }`] : []), ...rest];
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function docs(operation: Described): string {
  const { summary, description, 'x-scope': scope } = operation;
  const credentials = credentialsOf(operation).join(' or ');
  const needs = credentials && `Opened by ${credentials}${scope ? `, scope ${scope}` : ''}.`;
  const paragraphs = [`${summary}.`, description, needs].filter((text) => text !== undefined && text !== '');
  const lines = paragraphs.join('\n\n').replaceAll('*/', '*\\/').split('\n');
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}
