import Type from 'typebox';
import { operation } from '../platform/contract/operation.ts';
import { about, OpenObject, query, Text } from '../platform/contract/shapes.ts';

const tool = { path: '/v1/mcp', tag: 'MCP', credential: 'tenant', scope: null } as const;

/** Reach operations that are not listed as tools. */
export const searchOperations = operation({
  ...tool,
  id: 'search_operations',
  method: 'GET',
  summary: 'Find operations',
  mcp: {
    says: 'Find operations of the whole API by words or by name, with their arguments. Some have a tool of the same name; call_operation calls all of them, but for those that a person has to call.',
  },
  query: query({ query: about(Text(500), 'As `add staff` or `update_recipe`; empty: all names') }),
  responses: { 200: OpenObject },
});

export const callOperation = operation({
  ...tool,
  id: 'call_operation',
  method: 'POST',
  summary: 'Call an operation',
  mcp: {
    callsOthers: true,
    destructive: true,
    openWorld: true,
    says: 'Call an operation that search_operations found. It takes and answers what a tool of its name would.',
  },
  body: Type.Object({
    operation: about(Text(100, 1), 'Its name'),
    arguments: about(Type.Optional(OpenObject), 'Its arguments, all side by side'),
  }),
  responses: { 200: OpenObject },
});
