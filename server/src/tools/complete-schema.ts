import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** Keywords whose members, elements or values are schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const LISTED = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const SINGLE = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains']);
const MAY_BE_NULL = new Set(['default', 'const']);
/** Providers refuse them at the top. */
const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;
const NOT_AT_TOP: ReadonlySet<string> = new Set([...ALTERNATIVES, 'not', 'enum', 'const', '$ref']);

/** The message is for the tenant. */
export class UnfitSchema extends Error {
  override readonly name = 'UnfitSchema';
}

/**
 * The schema of a tool's arguments as providers of models take it, who refuse a whole request for one tool: an object with
 * `properties` and no alternatives at the top, lists with `items`. What it allows stays, or grows; the server checks arguments.
 * Throws UnfitSchema. Recurs as deep as the schema.
 */
export function completeSchema(schema: unknown): JsonObject {
  if (schema === undefined) throw new UnfitSchema('It has no inputSchema');
  if (!isJsonObject(schema)) throw new UnfitSchema('Its inputSchema is no object');
  const whole = completed(schema);
  const { type = 'object' } = whole;
  if (!(Array.isArray(type) ? type : [type]).includes('object'))
    throw new UnfitSchema('Its inputSchema is not of the type object');
  const parts = [referred(whole), ...ALTERNATIVES.flatMap((key) => listOf(whole[key]))].filter(isJsonObject);
  const properties = Object.fromEntries(
    [...parts, whole].flatMap((part) =>
      isJsonObject(part.properties) ? Object.entries(part.properties) : [],
    ),
  );
  const required = [referred(whole), ...listOf(whole.allOf), whole]
    .flatMap((part) => (isJsonObject(part) ? textsIn(part.required) : []))
    .filter((name) => Object.hasOwn(properties, name));
  const others = Object.entries(whole).filter(([key]) => !NOT_AT_TOP.has(key) && key !== 'required');
  return {
    ...Object.fromEntries(others),
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

const textsIn = (value: unknown) => listOf(value).filter((one) => typeof one === 'string');

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A reference at the top to a definition of the same schema. */
function referred({ $ref, ...schema }: JsonObject): unknown {
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String($ref)) ?? [];
  const definitions = schema[group];
  return isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

function completed(schema: JsonObject): JsonObject {
  const below = (value: unknown) => {
    if (isJsonObject(value)) return completed(value);
    if (typeof value === 'boolean') return value;
    throw new UnfitSchema('Its inputSchema is no JSON Schema');
  };
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (value === null && !MAY_BE_NULL.has(key)) return [];
    if (LISTED.has(key) && Array.isArray(value)) return [[key, value.map(below)]];
    if (SINGLE.has(key)) return [[key, below(value)]];
    if (key === 'required') return [[key, textsIn(value)]];
    if (!NAMED.has(key)) return [[key, value]];
    if (!isJsonObject(value)) throw new UnfitSchema('Its inputSchema is no JSON Schema');
    const named = Object.entries(value).map(([name, one]) => [name, below(one)]);
    return [[key, Object.fromEntries(named)]];
  });
  const result: JsonObject = Object.fromEntries(entries);
  const { type, items } = result;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.every((one) => TYPES.includes(one)))
    throw new UnfitSchema('Its inputSchema has a type that JSON Schema does not know');
  return types.includes('array') && items === undefined ? { ...result, items: {} } : result;
}
