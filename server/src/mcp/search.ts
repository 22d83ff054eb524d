import MiniSearch from 'minisearch';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { reasonForPeople } from './reach.ts';
import { isOpenTo, type Tool, type Tools } from './tools.ts';

/** Results with arguments; further ones are only name and summary. */
const MAX_IN_FULL = 4;
const MAX_RESULTS = 12;

export type Search = (query: string, actor: Actor, readOnly: boolean) => JsonObject;

/** Searches names and descriptions for operations that the caller, or only a person, may call. */
export function makeSearch(tools: Tools): Search {
  const index = indexOf(tools);
  return (query, actor, readOnly) => {
    if (query.trim() === '') {
      const open = [...tools.values()].filter((tool) => tool.forModels && isOpenTo(tool, actor, readOnly));
      return { names: open.map(({ name }) => name) };
    }
    const exact = tools.get(query.trim());
    const ranked = index.search(query).flatMap(({ id }) => tools.get(id as string) ?? []);
    const found = [...new Set([...(exact ? [exact] : []), ...ranked])]
      .filter((tool) => isFound(tool, actor, readOnly))
      .slice(0, MAX_RESULTS);
    if (found.length === 0)
      return {
        operations: [],
        note: 'Nothing found. Ask with other words, or with an empty query for all names.',
      };
    const inFull = exact && found[0] === exact ? 1 : MAX_IN_FULL;
    return {
      operations: found.slice(0, inFull).map(describe),
      ...(found.length > inFull && {
        further: Object.fromEntries(
          found.slice(inFull).map(({ name, route }) => [name, route.operation.summary]),
        ),
      }),
    };
  };
}

const isFound = (tool: Tool, actor: Actor, readOnly: boolean): boolean =>
  tool.forModels ? isOpenTo(tool, actor, readOnly) : !readOnly;

function indexOf(tools: Tools): MiniSearch {
  const index = new MiniSearch({
    fields: ['id', 'summary', 'says', 'tag', 'arguments'],
    processTerm: stemOf,
    searchOptions: {
      boost: { id: 5, summary: 3, tag: 2 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(
    [...tools.values()].map(({ name, says, route, schema }) => ({
      id: name,
      summary: route.operation.summary,
      says,
      tag: route.operation.tag,
      arguments: Object.keys(schema.properties).join(' '),
    })),
  );
  return index;
}

/** Verbs that people use, and the API's. */
const VERBS: Readonly<Record<string, string>> = {
  add: 'create',
  new: 'create',
  make: 'create',
  register: 'create',
  change: 'update',
  edit: 'update',
  modify: 'update',
  remove: 'delete',
  erase: 'delete',
  show: 'get',
  read: 'get',
  find: 'list',
};

function stemOf(term: string): string {
  const lower = term.toLowerCase();
  return VERBS[lower] ?? lower.replace(/(?<=\w{3})s$/, '');
}

function describe({ name, says, forModels, readOnly, destructive, route, schema }: Tool): JsonObject {
  const { operation } = route;
  if (!forModels) return { operation: name, says, person: personCalls(operation) };
  const returns = fieldsOf(Object.values(operation.responses).find((shape) => shape !== null));
  return {
    operation: name,
    says,
    effect: readOnly ? 'reads' : destructive ? 'takes away' : 'changes',
    arguments: { properties: schema.properties, required: schema.required ?? [] },
    ...(returns.length > 0 && { returns }),
  };
}

const fieldsOf = (shape: unknown): string[] =>
  Object.keys((shape as { properties?: object } | undefined)?.properties ?? {});

export const personCalls = (operation: Operation): string =>
  `A person has to call ${operation.id} (${operation.method} ${operation.path}), because it ${reasonForPeople(operation)}.`;

/** Names the operation for what only a person can provide, such as a connection's credentials. */
export function noteForPerson({ mcp }: Operation, body: unknown, tools: Tools): string | undefined {
  const { field = '', operation = '' } = mcp?.handsOver ?? {};
  const value = (Object(body) as Record<string, unknown>)[field];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const tool = tools.get(operation);
  return tool && `For ${field}: ${personCalls(tool.route.operation)}`;
}
