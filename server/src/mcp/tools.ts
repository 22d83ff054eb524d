import type { Tool as Definition } from '@modelcontextprotocol/server';
import { closestMatch } from 'leven';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import { type Fault, ValidationError } from '../platform/errors.ts';
import { refusal } from '../platform/http/authorize.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import type { RequestParts } from '../platform/http/validation.ts';
import { inputSchema, type ObjectSchema, shortSchema } from './input-schema.ts';
import { reachOf } from './reach.ts';
import { toolRoute } from './tool-route.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** An operation visible to models, listed as a tool or not. */
export interface Tool {
  name: string;
  route: CompiledRoute;
  listed: boolean;
  /** False: only a person may call it. */
  forModels: boolean;
  readOnly: boolean;
  destructive: boolean;
  /** Waits for an event, so it needs the exchange. */
  waits: boolean;
  /** The description. */
  says: string;
  /** With all limits. */
  schema: ObjectSchema;
  /** As listed. */
  definition: Definition;
  partsOf(args: Arguments): RequestParts;
}

export type Tools = ReadonlyMap<string, Tool>;

/** By name: MCP-only tools (`own`), then the others in the order of routes. */
export function toolsOf(routes: readonly CompiledRoute[], own: readonly CompiledRoute[] = []): Tools {
  const seen = [...own, ...routes].filter(({ operation }) => reachOf(operation) !== 'nobody');
  return new Map(seen.map((route) => [route.operation.id, new OperationTool(toolRoute(route))]));
}

class OperationTool implements Tool {
  readonly name: string;
  readonly route: CompiledRoute;
  readonly listed: boolean;
  readonly forModels: boolean;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly waits: boolean;
  readonly says: string;
  readonly #params: readonly string[];
  readonly #query: readonly string[];
  #schema: ObjectSchema | undefined;

  constructor(route: CompiledRoute) {
    const { id, method, summary, description, mcp } = route.operation;
    this.name = id;
    this.route = route;
    this.forModels = reachOf(route.operation) === 'models';
    this.listed = this.forModels && mcp !== undefined && mcp.unlisted === undefined;
    this.readOnly = mcp?.readOnly ?? method === 'GET';
    this.destructive = mcp?.destructive ?? method === 'DELETE';
    this.waits = mcp?.waits ?? false;
    this.says = mcp?.says ?? (description ? `${summary}. ${description}` : `${summary}.`);
    this.#params = namesOf(route.operation.params);
    this.#query = namesOf(route.operation.query);
  }

  get schema(): ObjectSchema {
    this.#schema ??= inputSchema(this.route.operation);
    return this.#schema;
  }

  get definition(): Definition {
    const { method, mcp } = this.route.operation;
    return {
      name: this.name,
      title: titleOf(this.name),
      description: this.says,
      inputSchema: shortSchema(this.schema, mcp?.brief ?? false) as unknown as Definition['inputSchema'],
      annotations: {
        readOnlyHint: this.readOnly,
        destructiveHint: this.destructive,
        idempotentHint: this.readOnly || method === 'PUT' || method === 'DELETE',
        openWorldHint: mcp?.openWorld ?? false,
      },
    };
  }

  partsOf(args: Arguments): RequestParts {
    const elsewhere = [...this.#params, ...this.#query];
    const inBody = () => Object.entries(args).filter(([name]) => !elsewhere.includes(name));
    return {
      params: pick(args, this.#params),
      query: pick(args, this.#query),
      body: this.route.operation.body ? Object.fromEntries(inBody()) : undefined,
    };
  }
}

/** The same rule as over HTTP. */
export const isOpenTo = (tool: Tool, actor: Actor, readOnly: boolean): boolean =>
  !(readOnly && mayChange(tool)) && refusal(tool.route.operation, actor) === undefined;

/** False for call_operation, because the operation it calls is checked itself. */
export const mayChange = ({ readOnly, route }: Tool): boolean =>
  !readOnly && route.operation.mcp?.callsOthers === undefined;

/** With `readOnly`, call_operation is listed as reading. */
export const definitionsFor = (tools: Tools, actor: Actor, readOnly: boolean): Definition[] =>
  [...tools.values()]
    .filter((tool) => tool.listed && isOpenTo(tool, actor, readOnly))
    .map(({ definition, readOnly: reads }) => (readOnly && !reads ? asReading(definition) : definition));

const asReading = (definition: Definition): Definition => ({
  ...definition,
  annotations: {
    ...definition.annotations,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
  },
});

/** Throws a ValidationError with all errors, including unknown arguments. */
export function checkArguments(tool: Tool, args: Arguments): void {
  const unknown = unknownFaults(tool, args);
  try {
    tool.route.validate(tool.partsOf(args));
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError([...unknown, ...error.faults]);
  }
  if (unknown.length > 0) throw new ValidationError(unknown);
}

/** Comparing names is slow, and a body of 1 MiB contains many. */
const MAX_UNKNOWN = 20;
const MAX_NAME_LENGTH = 64;

function unknownFaults({ schema, route }: Tool, args: Arguments): Fault[] {
  const known = Object.keys(schema.properties);
  const place = route.operation.body ? 'body' : 'query';
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(schema.properties, name));
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const near = closestName(name, known);
    const hint = near === undefined ? 'it takes none' : `the closest known one is ${near}`;
    const shown = name.slice(0, MAX_NAME_LENGTH).toWellFormed();
    return { loc: [place, shown], msg: `Unknown argument; ${hint}`, type: 'extra_forbidden' };
  });
}

/** The most similar name; undefined when none is known. */
export const closestName = (text: string, known: readonly string[]): string | undefined =>
  closestMatch(text.slice(0, MAX_NAME_LENGTH), [...known]);

const pick = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, single(args[name])]),
  );

/** A list in a query means repetition; as an argument it is one value. */
const single = (value: unknown) => (Array.isArray(value) ? [value] : value);

/** "Get recipe" for get_recipe. */
export const titleOf = (id: Operation['id']) => id[0]?.toUpperCase() + id.slice(1).replaceAll('_', ' ');

const namesOf = (schema: unknown): string[] =>
  Object.keys((schema as Partial<ObjectSchema> | undefined)?.properties ?? {});
