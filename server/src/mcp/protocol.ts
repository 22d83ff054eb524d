import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { TITLE, VERSION } from '../platform/contract/about.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import { callTool, type Exchange, type McpServices } from './call-tool.ts';
import { isOpenTo } from './tools.ts';

const SERVER_INFO = { name: 'agent-control-plane', title: TITLE, version: VERSION };

const INSTRUCTIONS =
  'Recipes describe agents; a recipe is deployed for a customer as an instance. Before deploy_recipe, check_deploy says what a deploy would do and what is missing. What takes time answers with a task: follow it with get_task. Lists are paged with page and per_page.';

/** The tools that a key reaches do not change, so a client may keep its own list for a while. */
const CACHE_HINT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Shared, because each server would compile schemas in a validator of its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** The revision without a handshake, which the library's handler serves. */
const REVISION = '2026-07-28';

/** The request headers that the protocol reads. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The library quotes refused messages, which may be as long as a body. */
const MAX_REASON_LENGTH = 300;

/** Serves one message of an exchange, in any revision. */
export type Serve = (exchange: Exchange, message: unknown) => Promise<Response>;

/**
 * The library serves every message, with a server of its own for each. Its default for revisions before 2026-07-28
 * answers with event streams, so those requests go to its transport for JSON instead.
 */
export function makeServe(mcp: McpServices): Serve {
  const options = serverOptions(mcp);
  const onerror = ({ message }: Error) =>
    mcp.log.info({ reason: message.slice(0, MAX_REASON_LENGTH) }, 'an MCP message was refused');
  return async (exchange, message) => {
    const request = webRequest(exchange);
    const newServer = () => makeServer(mcp, options, exchange);
    if (mayBeLegacy(exchange, message) && (await isLegacyRequest(request, message)))
      return serveLegacy(newServer(), request, message);
    const handler = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0, onerror });
    return handler.fetch(request, { parsedBody: message });
  };
}

/**
 * False where the header names the newer revision, which saves a second look at most messages. A posted response is left
 * to the handler, which refuses it: this service never sends a request.
 */
const mayBeLegacy = ({ request }: Exchange, message: unknown): boolean =>
  request.headers['mcp-protocol-version'] !== REVISION && isJsonObject(message) && 'method' in message;

async function serveLegacy(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
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
    tools: [...mcp.tools.values()]
      .filter((tool) => isOpenTo(tool, exchange.actor, exchange.readOnly))
      .map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(mcp, exchange, { name: params.name, args: params.arguments ?? {} }, mcpReq),
  );
  return server;
}

/** The request as the library takes it. Content-Type and Accept have been checked already. */
function webRequest({ request }: Exchange): Request {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  for (const name of PROTOCOL_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return new Request('http://localhost/v1/mcp', { method: 'POST', headers });
}
