import { type CallToolResult, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { TITLE, VERSION } from '../platform/contract/about.ts';
import { callTool, type Exchange, type McpServices } from './call-tool.ts';
import { isOpenTo } from './tools.ts';

export const SERVER_INFO = { name: 'agent-control-plane', title: TITLE, version: VERSION };

const INSTRUCTIONS =
  'Recipes describe agents; a recipe is deployed for a customer as an instance. Before deploy_recipe, check_deploy says what a deploy would do and what is missing. What takes time answers with a task: follow it with get_task. Lists are paged with page and per_page.';

/** What a key reaches is fixed when it is minted, so a list may be kept for a while, by the client that asked for it. */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** One for all: a server of its own for each request would make one each. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export const serverOptions = ({ confirmations }: McpServices): ServerOptions => ({
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  jsonSchemaValidator,
  cacheHints: { 'tools/list': CACHE_HINT, 'server/discover': CACHE_HINT },
  requestState: { verify: (state, context) => confirmations.codec.verify(state, context) },
});

/** The protocol's side of one request: the library wants a server of its own for each. */
export function makeServer(mcp: McpServices, options: ServerOptions, exchange: Exchange): Server {
  const server = new Server(SERVER_INFO, options);
  const { actor, readOnly } = exchange;
  server.setRequestHandler('tools/list', () => ({
    tools: [...mcp.tools.values()]
      .filter((tool) => isOpenTo(tool, actor, readOnly))
      .map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const called = { name: params.name, args: params.arguments ?? {} };
    const result = await callTool(mcp, exchange, called, mcpReq);
    return typeof result === 'string' ? (JSON.parse(result) as CallToolResult) : result;
  });
  return server;
}
