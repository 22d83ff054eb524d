import {
  type CallToolResult,
  INVALID_REQUEST,
  PARSE_ERROR,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { sessionTokenOf } from '../pins/pin-gate.ts';
import { TITLE, VERSION } from '../platform/contract/about.ts';
import { acceptedTypes } from '../platform/http/accept.ts';
import { abortOnDisconnect, type Call } from '../platform/http/handler.ts';
import { parseMessage, serveMessage } from '../platform/http/mcp-message.ts';
import type { Log } from '../platform/ports.ts';
import { identifyCaller } from './caller.ts';
import type { callTools } from './tools.contract.ts';
import { callTool, listTools, type ToolServices } from './tools.ts';

const SERVER_INFO = { name: 'agent-control-plane-gateway', title: TITLE, version: VERSION };
const REFUSED = -32_000;
const MAX_SHOWN_NAME = 100;

/** Shared, because each server would compile schemas in a validator of its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

type ToolsCall = Call<typeof callTools>;
export type ProtocolServices = ToolServices & { log: Log };

/** Responds to one message of a runtime, whose body is bytes. */
export async function respond(services: ProtocolServices, call: ToolsCall): Promise<Response> {
  const { headers } = call.request;
  const caller = await identifyCaller(call.q, { ...call, headers });
  if (acceptedTypes(headers.accept, ['application/json']).length === 0)
    return refuse(406, REFUSED, 'Accept has to take application/json');
  const message = parseMessage(call.body);
  if (message === undefined) return refuse(400, PARSE_ERROR, 'The body is not JSON');
  if (Array.isArray(message)) return refuse(400, INVALID_REQUEST, 'Batches are not taken here');
  const newServer = () => makeServer(services, call, caller);
  return serveMessage(newServer, { headers, message, log: services.log });
}

const refuse = (status: number, code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

function makeServer(
  services: ProtocolServices,
  { q, request, reply }: ToolsCall,
  caller: Awaited<ReturnType<typeof identifyCaller>>,
): Server {
  const signal = abortOnDisconnect(reply);
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler('tools/list', async () => {
    const tools = await listTools(services, q, caller, signal);
    return { tools: tools as Tool[] };
  });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const call = {
      name: params.name,
      args: params.arguments ?? {},
      pin_session: sessionTokenOf(request.headers),
      request_id: request.id,
      signal,
    };
    const result = await callTool(services, q, caller, call);
    if (result) return result as CallToolResult;
    const shown = params.name.slice(0, MAX_SHOWN_NAME).toWellFormed();
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${shown}`);
  });
  return server;
}
