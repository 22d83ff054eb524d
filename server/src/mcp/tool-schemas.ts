import type { Operation } from '../platform/contract/operation.ts';
import { requestSchema } from '../platform/contract/request-schema.ts';

type Json = Record<string, unknown>;

interface ObjectSchema {
  type: 'object';
  properties: Record<string, Json>;
  required?: string[];
}

/** What an operation answers with that answers with nothing. */
const DONE: ObjectSchema = {
  type: 'object',
  properties: { done: { type: 'boolean' } },
  required: ['done'],
};

/** The formats of JSON Schema itself. Clients refuse, or warn of, those that are ours alone. */
const KNOWN_FORMATS = new Set(['uuid', 'date', 'date-time', 'email']);

/** Which arguments go where in a request. */
export interface ArgumentNames {
  params: readonly string[];
  query: readonly string[];
}

const namesOf = (schema: unknown): string[] =>
  Object.keys((schema as ObjectSchema | undefined)?.properties ?? {});

export const argumentNames = ({ params, query }: Operation): ArgumentNames => ({
  params: namesOf(params),
  query: namesOf(query),
});

/** One flat object of what stands in path, query and body. Throws where two of them share a name. */
export function inputSchema({ id, params, query, body }: Operation): ObjectSchema {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const part of [params, query, body]) {
    if (!part) continue;
    const schema = requestSchema(part) as unknown as ObjectSchema;
    for (const [name, property] of Object.entries(schema.properties)) {
      if (Object.hasOwn(properties, name)) throw new Error(`${id}: two arguments have the name ${name}`);
      properties[name] = plain(property);
    }
    required.push(...(schema.required ?? []));
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** What a tool gives back: what the operation answers a success with, a list as `items`. */
export function outputSchema({ id, responses }: Operation): ObjectSchema {
  const schemas = [...new Set(Object.values(responses))].filter((schema) => schema !== null);
  if (schemas.length > 1) throw new Error(`${id}: a tool answers in one shape`);
  const [schema] = schemas.map(plain);
  if (!schema) return DONE;
  if (schema.type === 'object') return schema as unknown as ObjectSchema;
  return { type: 'object', properties: { items: schema }, required: ['items'] };
}

/** The reply's body in the shape of the output schema. */
export function toStructured(body: unknown): Json {
  if (body === null || body === undefined) return { done: true };
  return Array.isArray(body) ? { items: body as unknown[] } : (body as Json);
}

function plain(schema: object): Json {
  const copy = Object.entries(schema)
    .filter(([key, value]) => key !== 'format' || KNOWN_FORMATS.has(String(value)))
    .map(([key, value]): [string, unknown] => [key, plainValue(value)]);
  return Object.fromEntries(copy);
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? plain(value) : value;
}
