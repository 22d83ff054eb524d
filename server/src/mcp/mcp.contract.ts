import Type from 'typebox';
import { McpAnswer, McpCall, McpFailure } from '../platform/contract/json-rpc.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, query } from '../platform/contract/shapes.ts';

export const callMcp = operation({
  id: 'call_mcp',
  method: 'POST',
  path: '/v1/mcp',
  tag: 'MCP',
  summary: 'Model Context Protocol over Streamable HTTP, without sessions',
  description:
    'The revision 2026-07-28, and those before it without a session; one JSON-RPC message (or a batch, in the revisions that know it) and an answer in JSON. The tools are operations of this service that the caller’s scopes reach, named by their operationId; search_operations and call_operation reach those that are not listed. The API key may come as bearer token, too. With read_only, tools that change something are neither listed nor called. Refusals of the protocol (400, 403, 404, 406) are JSON-RPC errors; 404 is an unknown method.',
  credential: 'tenant',
  scope: null,
  bearerKey: true,
  rawBody: 'json',
  query: query({
    read_only: about(Type.Boolean({ default: false }), 'Neither lists nor calls what changes something'),
  }),
  rawShape: McpCall,
  responses: { 200: McpAnswer, 202: null },
  failures: [400, 404, 406],
  failureShapes: { 400: McpFailure, 403: McpFailure, 404: McpFailure, 406: McpFailure },
});
