import type { Operation } from '../platform/contract/operation.ts';
import { requestSchema } from '../platform/contract/request-schema.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

export interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonObject>;
  required?: string[];
  additionalProperties: false;
}

/** Formats of JSON Schema itself; clients refuse our own or warn about them. */
const KNOWN_FORMATS: readonly unknown[] = ['uuid', 'date', 'date-time', 'email'];

/** Omitted from the list of tools: validation errors name these limits, and each costs tokens in every conversation. */
const LIMITS: readonly string[] = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'default',
];

/** Merges path, query and body into one object. Throws when two share a name. */
export function inputSchema({ id, params, query, body }: Operation): ObjectSchema {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const part of [params, query, body]) {
    if (!part) continue;
    const schema = requestSchema(part) as unknown as Partial<ObjectSchema>;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(properties, name)) throw new Error(`${id}: two arguments have the name ${name}`);
      properties[name] = withoutKeywords(withoutMembers(property), isUnknownFormat);
    }
    required.push(...(schema.required ?? []));
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Fields of another operation are explained there alone, because they cost many tokens. */
function withoutMembers(property: JsonObject): JsonObject {
  if (!('x-fields-of' in property)) return property;
  const { properties: _members, required: _required, items: _items, ...shape } = property;
  return shape;
}

/** For the list of tools: no limits. `isBrief` omits descriptions of optional arguments. */
export function shortSchema(schema: ObjectSchema, isBrief: boolean): ObjectSchema {
  const { properties, required = [] } = schema;
  const entries = Object.entries(properties).map(([name, property]): [string, JsonObject] => {
    const { description, ...rest } = withoutKeywords(property, isLimit);
    const says = !isBrief || required.includes(name) ? description : undefined;
    return [name, { ...orNull(rest), ...(says !== undefined && { description: says }) }];
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}

const isUnknownFormat = (key: string, value: unknown) =>
  (key === 'format' && !KNOWN_FORMATS.includes(value)) || key.startsWith('x-');

/** `additionalProperties: true` is the default. */
const isLimit = (key: string, value: unknown) =>
  LIMITS.includes(key) || (key === 'additionalProperties' && value === true);

/** Turns `anyOf` of a simple schema and null into one schema with two types. */
function orNull({ anyOf, ...rest }: JsonObject): JsonObject {
  const [only, nothing, ...others] = (anyOf ?? []) as JsonObject[];
  const isSimple = typeof only?.type === 'string' && only.enum === undefined;
  if (!isSimple || nothing?.type !== 'null' || others.length > 0) return anyOf ? { ...rest, anyOf } : rest;
  return { ...rest, ...only, type: [only.type, 'null'] };
}

/** Copies a schema without some keywords. Names of properties are not keywords. */
function withoutKeywords(schema: object, isOmitted: (key: string, value: unknown) => boolean): JsonObject {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? withoutKeywords(value, isOmitted) : value;
  };
  const entries = Object.entries(schema).filter(([key, value]) => !isOmitted(key, value));
  return Object.fromEntries(
    entries.map(([key, value]): [string, unknown] => {
      if (key !== 'properties') return [key, inside(value)];
      const named = Object.entries(value as object).map(([name, property]) => [name, inside(property)]);
      return [key, Object.fromEntries(named)];
    }),
  );
}
