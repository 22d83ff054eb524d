import type { Tool as Definition } from '@modelcontextprotocol/server';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import { requestSchema } from '../platform/contract/request-schema.ts';
import { refusal } from '../platform/http/authorize.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import type { RequestParts } from '../platform/http/validation.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** An operation as a tool. */
export interface Tool {
  route: CompiledRoute;
  /** The entry in the list of tools. */
  definition: Definition;
  readOnly: boolean;
  destructive: boolean;
  /** The arguments as the parts of a request. */
  partsOf(args: Arguments): RequestParts;
  /** The arguments that the tool's schema declares. */
  declaredOf(args: Arguments): Arguments;
}

/** The tools among the routes, by name, in the routes' order. */
export const toolsOf = (routes: readonly CompiledRoute[]): ReadonlyMap<string, Tool> =>
  new Map(
    routes
      .filter(({ operation }) => operation.mcp !== undefined)
      .map((route) => [route.operation.id, toTool(route)]),
  );

function toTool(route: CompiledRoute): Tool {
  const { operation } = route;
  const { id, method, summary, description, mcp = {} } = operation;
  const readOnly = mcp.readOnly ?? method === 'GET';
  const destructive = mcp.destructive ?? method === 'DELETE';
  const title = titleOf(id);
  const params = namesOf(operation.params);
  const query = namesOf(operation.query);
  const elsewhere = new Set([...params, ...query]);
  const schema = inputSchema(operation);
  return {
    route,
    readOnly,
    destructive,
    definition: {
      name: id,
      title,
      description: mcp.says ?? (description ? `${summary}. ${description}` : `${summary}.`),
      inputSchema: schema as unknown as Definition['inputSchema'],
      outputSchema: outputSchema(operation) as unknown as JsonObject,
      annotations: {
        title,
        readOnlyHint: readOnly,
        destructiveHint: destructive,
        idempotentHint: readOnly || method === 'PUT' || method === 'DELETE',
        openWorldHint: mcp.openWorld ?? false,
      },
    },
    partsOf: (args) => {
      const inBody = () => Object.entries(args).filter(([name]) => !elsewhere.has(name));
      return {
        params: pick(args, params),
        query: pick(args, query),
        body: operation.body ? Object.fromEntries(inBody()) : undefined,
      };
    },
    declaredOf: (args) =>
      Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(schema.properties, name))),
  };
}

/** True when the caller may see and call the tool, by the same rule as over HTTP. */
export const isOpenTo = (tool: Tool, actor: Actor, readOnly: boolean): boolean =>
  (tool.readOnly || !readOnly) && refusal(tool.route.operation, actor) === undefined;

const pick = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, once(args[name])]),
  );

/** The value of a parameter that occurs once. In a query a list means repetition; as an argument it is one value. */
const once = (value: unknown) => (Array.isArray(value) ? [value] : value);

/** get_recipe: Get recipe. */
const titleOf = (id: Operation['id']) => id[0]?.toUpperCase() + id.slice(1).replaceAll('_', ' ');

interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonObject>;
  required?: string[];
}

/** The output schema of an operation without a body in its response. */
const DONE: ObjectSchema = {
  type: 'object',
  properties: { done: { type: 'boolean' } },
  required: ['done'],
};

/** The formats of JSON Schema itself. Clients refuse our own formats, or warn of them. */
const KNOWN_FORMATS = new Set(['uuid', 'date', 'date-time', 'email']);

const namesOf = (schema: unknown): string[] =>
  Object.keys((schema as ObjectSchema | undefined)?.properties ?? {});

/** One flat object of path, query and body. Throws where two of them share a name. */
export function inputSchema({ id, params, query, body }: Operation): ObjectSchema {
  const properties: Record<string, JsonObject> = {};
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

/** The shape of a tool's structured content: the operation's successful response, a list as `items`. */
function outputSchema({ id, responses }: Operation): ObjectSchema {
  const schemas = [...new Set(Object.values(responses))].filter((schema) => schema !== null);
  if (schemas.length > 1) throw new Error(`${id}: a tool answers in one shape`);
  const [schema] = schemas.map(plain);
  if (!schema) return DONE;
  if (schema.type === 'object') return schema as unknown as ObjectSchema;
  return { type: 'object', properties: { items: schema }, required: ['items'] };
}

/** A reply's body in the shape of the output schema. */
export function toStructured(body: unknown): JsonObject {
  if (body === null || body === undefined) return { done: true };
  return Array.isArray(body) ? { items: body as unknown[] } : (body as JsonObject);
}

/** A copy of a schema without formats that clients do not know. */
function plain(schema: object): JsonObject {
  const copy = Object.entries(schema)
    .filter(([key, value]) => key !== 'format' || KNOWN_FORMATS.has(String(value)))
    .map(([key, value]): [string, unknown] => [key, plainValue(value)]);
  return Object.fromEntries(copy);
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? plain(value) : value;
}
