import Type, { IsArray, type TProperties } from 'typebox';
import type { Operation, ReplyOf } from '../platform/contract/operation.ts';
import { PageQuery, query } from '../platform/contract/shapes.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import { requestValidator } from '../platform/http/validation.ts';
import { JsonList } from '../platform/json/json-list.ts';

/** Adapts a route for models: an array becomes pages, and the filter by name is always called `search`. */
export function toolRoute(route: CompiledRoute): CompiledRoute {
  const { operation } = route;
  const answer = operation.responses[200];
  const isWhole = IsArray(answer);
  const searchesBy = operation.mcp?.searchesBy;
  if (!isWhole && searchesBy === undefined) return route;
  const toolOperation: Operation = {
    ...operation,
    query: query({ ...(isWhole && PageQuery), ...renamed(propertiesOf(operation.query), searchesBy) }),
    ...(isWhole && { responses: { 200: Type.Object({ items: answer, ...PAGE }) } }),
  };
  const validate = requestValidator(toolOperation);
  return {
    operation: toolOperation,
    validate,
    execute: async (parts, admitted) => {
      const asked = validate(parts).query as Asked;
      const given = searchesBy === undefined ? asked : { ...asked, search: '', [searchesBy]: asked.search };
      const reply = await route.execute({ ...parts, query: given }, admitted);
      if (!reply || !isWhole) return reply;
      return { ...reply, body: pageOf(reply.body, asked) } as ReplyOf<Operation>;
    },
  };
}

interface Asked {
  page: number;
  per_page: number;
  search: string;
}

const PAGE = { page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() };

const propertiesOf = (schema: Operation['query']): TProperties => schema?.properties ?? {};

/** Renames the filter to `search`. */
function renamed(properties: TProperties, searchesBy: string | undefined): TProperties {
  if (searchesBy === undefined) return properties;
  const { [searchesBy]: search, search: _, ...others } = properties;
  return { ...(search && { search }), ...others };
}

function pageOf(list: unknown, { page, per_page }: Asked): unknown {
  if (list instanceof JsonList) return list.window(page, per_page);
  const rows = list as unknown[];
  const items = rows.slice((page - 1) * per_page, page * per_page);
  return { items, page, per_page, total: rows.length };
}
