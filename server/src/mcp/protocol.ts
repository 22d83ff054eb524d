import { Server, type ServerOptions } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { TITLE, VERSION } from '../platform/contract/about.ts';
import { serveMessage } from '../platform/http/mcp-message.ts';
import { callTool, type Exchange, type McpServices } from './call-tool.ts';
import { definitionsFor } from './tools.ts';

const SERVER_INFO = { name: 'agent-control-plane', title: TITLE, version: VERSION };

const INSTRUCTIONS =
  'Recipes describe agents; a recipe is deployed for a customer as an instance. Before deploy_recipe, check_deploy says what a deploy would do and what is missing. What takes time answers with a task: wait_for_task. Lists are summaries, paged with page and per_page. There are more operations than tools: search_operations finds them, call_operation calls them.';

/** A key's tools do not change, so clients may cache the list. */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Shared; otherwise each server would compile the schemas. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** In any revision. */
export type Serve = (exchange: Exchange, message: unknown) => Promise<Response>;

/** A new server for each message. */
export function makeServe(mcp: McpServices): Serve {
  const options = serverOptions(mcp);
  return (exchange, message) =>
    serveMessage(() => makeServer(mcp, options, exchange), {
      headers: exchange.request.headers,
      message,
      log: mcp.log,
    });
}

const serverOptions = ({ confirmations }: McpServices): ServerOptions => ({
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  jsonSchemaValidator,
  cacheHints: { 'tools/list': CACHE_HINT, 'server/discover': CACHE_HINT },
  requestState: { verify: (state, context) => confirmations.codec.verify(state, context) },
});

function makeServer(mcp: McpServices, options: ServerOptions, exchange: Exchange): Server {
  const server = new Server(SERVER_INFO, options);
  server.setRequestHandler('tools/list', () => ({
    tools: definitionsFor(mcp.tools, exchange.actor, exchange.readOnly),
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(mcp, exchange, { name: params.name, args: params.arguments ?? {} }, mcpReq),
  );
  return server;
}
