import type { Tool as Definition } from '@modelcontextprotocol/server';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import { refusal } from '../platform/http/authorize.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import type { RequestParts } from '../platform/http/validation.ts';
import { argumentNames, inputSchema, outputSchema } from './tool-schemas.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** An operation as a tool. */
export interface Tool {
  route: CompiledRoute;
  /** As it is listed. */
  definition: Definition;
  readOnly: boolean;
  destructive: boolean;
  /** The arguments as the parts of a request. */
  partsOf(args: Arguments): RequestParts;
  /** Those of the arguments that the tool's schema has; the others are not read. */
  declaredOf(args: Arguments): Arguments;
}

/** The tools among the operations, in the operations' order, by name. Made once. */
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
  const { params, query } = argumentNames(operation);
  const elsewhere = new Set([...params, ...query]);
  const takes = inputSchema(operation);
  return {
    route,
    readOnly,
    destructive,
    definition: {
      name: id,
      title,
      description: mcp.says ?? (description ? `${summary}. ${description}` : `${summary}.`),
      inputSchema: takes as unknown as Definition['inputSchema'],
      outputSchema: outputSchema(operation) as unknown as Record<string, unknown>,
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
      Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(takes.properties, name))),
  };
}

/** Whether the caller may see and call the tool: by the same rule as the same operation over HTTP. */
export const isOpenTo = (tool: Tool, actor: Actor, readOnly: boolean): boolean =>
  (tool.readOnly || !readOnly) && refusal(tool.route.operation, actor) === undefined;

const pick = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, once(args[name])]),
  );

/** As a parameter that is given once: a list among the arguments is a value, where in a query it is a repetition. */
const once = (value: unknown) => (Array.isArray(value) ? [value] : value);

/** get_recipe: Get recipe. */
const titleOf = (id: Operation['id']) => id[0]?.toUpperCase() + id.slice(1).replaceAll('_', ' ');
