import type { Operation } from '../platform/contract/operation.ts';
import { requestSchema } from '../platform/contract/request-schema.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** The arguments of an operation as one JSON Schema. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonObject>;
  required?: string[];
  additionalProperties: false;
}

/** The formats of JSON Schema itself. Clients refuse our own formats, or warn of them. */
const KNOWN_FORMATS: readonly unknown[] = ['uuid', 'date', 'date-time', 'email'];

/** Left out of the listed tools: the check of a call names these limits, and each costs tokens in every conversation. */
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

/** One flat object of path, query and body. Throws where two of them share a name. */
export function inputSchema({ id, params, query, body }: Operation): ObjectSchema {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const part of [params, query, body]) {
    if (!part) continue;
    const schema = requestSchema(part) as unknown as Partial<ObjectSchema>;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(properties, name)) throw new Error(`${id}: two arguments have the name ${name}`);
      properties[name] = plain(property, isUnknownFormat);
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

/** The schema without limits, as the list of tools has it. `isBrief` leaves out descriptions of optional arguments. */
export function shortSchema(schema: ObjectSchema, isBrief: boolean): ObjectSchema {
  const { properties, required = [] } = schema;
  const entries = Object.entries(properties).map(([name, property]): [string, JsonObject] => {
    const { description, ...rest } = plain(property, isLimit);
    const says = !isBrief || required.includes(name) ? description : undefined;
    return [name, { ...orNull(rest), ...(says !== undefined && { description: says }) }];
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}

const isUnknownFormat = (key: string, value: unknown) =>
  (key === 'format' && !KNOWN_FORMATS.includes(value)) || key === 'x-secret';

/** An object that takes everything says so by saying nothing. */
const isLimit = (key: string, value: unknown) =>
  LIMITS.includes(key) || (key === 'additionalProperties' && value === true);

/** `anyOf` a simple schema and null as one schema with two types. */
function orNull({ anyOf, ...rest }: JsonObject): JsonObject {
  const [only, nothing, ...others] = (anyOf ?? []) as JsonObject[];
  const isSimple = typeof only?.type === 'string' && only.enum === undefined;
  if (!isSimple || nothing?.type !== 'null' || others.length > 0) return anyOf ? { ...rest, anyOf } : rest;
  return { ...rest, ...only, type: [only.type, 'null'] };
}

/** A copy of a schema without some of its keywords. A property's name is no keyword. */
function plain(schema: object, isLeftOut: (key: string, value: unknown) => boolean): JsonObject {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? plain(value, isLeftOut) : value;
  };
  const entries = Object.entries(schema).filter(([key, value]) => !isLeftOut(key, value));
  return Object.fromEntries(
    entries.map(([key, value]): [string, unknown] => {
      if (key !== 'properties') return [key, inside(value)];
      const named = Object.entries(value as object).map(([name, property]) => [name, inside(property)]);
      return [key, Object.fromEntries(named)];
    }),
  );
}
