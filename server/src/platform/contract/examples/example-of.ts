import type { TSchema } from 'typebox';
import type { Operation } from '../operation.ts';
import { exampleBodies } from './bodies.ts';
import { exampleValues } from './values.ts';

/** The keywords of JSON Schema that examples need. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
}

interface Place {
  operation: Pick<Operation, 'id' | 'tag'>;
  /** The value's field. */
  field?: string;
  /** The field of the enclosing object; `path`, `query` or `header` for a parameter. */
  object?: string;
  /** True for a request, which omits optional fields without an example. */
  asked: boolean;
}

/** Placeholder for a text without an example in values.ts. A test finds it. */
export const NO_EXAMPLE = 'no example';

/** An example of a request's body. It satisfies the schema. */
export const requestExample = (operation: Operation, body: TSchema): unknown =>
  exampleBodies[`${operation.id} request`] ?? exampleOf(body, { operation, asked: true });

/** An example of an answer in a content type. JSON satisfies the schema. */
export const answerExample = (operation: Operation, type: string, schema: TSchema): unknown =>
  exampleBodies[`${operation.id} ${type}`] ?? exampleOf(schema, { operation, asked: false });

/** An example of a parameter. */
export const parameterExample = (
  operation: Operation,
  place: 'path' | 'query' | 'header',
  field: string,
  schema: object,
) => exampleOf(schema, { operation, field, object: place, asked: true });

function exampleOf(schema: Schema, place: Place): unknown {
  if (schema.const !== undefined) return schema.const;
  const said = saidOf(schema, place);
  if (said !== undefined) return said;
  const [first] = schema.anyOf ?? [];
  if (first) return exampleOf(first, place);
  if (schema.enum) return schema.default ?? schema.enum[0];
  if (schema.items && schema.type === 'array') return [exampleOf(schema.items, place)];
  return schema.properties ? objectExample(schema, place) : (schema.default ?? plainExample(schema));
}

function objectExample({ properties = {}, required = [] }: Schema, { operation, field, asked }: Place) {
  const inside = { operation, asked, ...(field !== undefined && { object: field }) };
  const entries = Object.entries(properties)
    .map(([name, schema]): [string, unknown] => [name, exampleOf(schema, { ...inside, field: name })])
    .filter(([name, value]) => !asked || required.includes(name) || saysSomething(value));
  return Object.fromEntries(entries);
}

/** null and [] are what a field that was left out holds anyway. */
const saysSomething = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

function saidOf(schema: Schema, { operation, field, object }: Place): unknown {
  if (field === undefined) return undefined;
  const keys = [`${operation.id}.${field}`, `${object}.${field}`, `${operation.tag}.${field}`, field];
  const values = keys.map((key) => exampleValues[key]);
  return values.find((value) => value !== undefined && isAmong(schema, value));
}

/** False only for a value that an enumeration lacks. */
function isAmong(schema: Schema, value: unknown): boolean {
  const options = schema.enum ?? schema.anyOf?.find((one) => one.enum)?.enum;
  return options === undefined || options.includes(value) || (value === null && schema.anyOf !== undefined);
}

function plainExample({ type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'object') return {};
  return NO_EXAMPLE;
}
