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
import { identifyCaller } from '../conversations/caller.ts';
import { sessionTokenOf } from '../pins/pin-gate.ts';
import { TITLE, VERSION } from '../platform/contract/about.ts';
import { type Fault, ValidationError } from '../platform/errors.ts';
import { acceptedTypes } from '../platform/http/accept.ts';
import { answerFor, hidesCause } from '../platform/http/errors.ts';
import { abortOnDisconnect, type Call } from '../platform/http/handler.ts';
import { invalidTextFaults } from '../platform/http/json-safety.ts';
import { parseMessage, serveMessage } from '../platform/http/mcp-message.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { Admission } from '../platform/load/admission.ts';
import type { Log } from '../platform/ports.ts';
import { listTools } from './tool-list.ts';
import type { callTools } from './tools.contract.ts';
import { callTool, type ToolServices } from './tools.ts';

const SERVER_INFO = { name: 'agent-control-plane-gateway', title: TITLE, version: VERSION };
const REFUSED = -32_000;
const MAX_SHOWN_NAME = 100;

/** Shared, so that not every server compiles the schemas again. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

type ToolsCall = Call<typeof callTools>;
export type ProtocolServices = ToolServices & { log: Log; admission: Admission };

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
  const orProtocolError = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => refuseFor(services, request.id, error));
  server.setRequestHandler('tools/list', async () => {
    const list = () => listTools(services, q, caller, signal);
    // Not of the operation, whose calls may take minutes and little else.
    const tools = await orProtocolError(services.admission.run('tool_list', q.tenant_id, list, signal));
    return { tools: tools as Tool[] };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const pin_session = sessionTokenOf(request.headers);
    checkText(args);
    const call = { name, args, pin_session, request_id: request.id, signal };
    const result = await orProtocolError(callTool(services, q, caller, call));
    if (result) return result as CallToolResult;
    const shown = storableText(name.slice(0, MAX_SHOWN_NAME));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${shown}`);
  });
  return server;
}

/** The same checks as for request bodies, because arguments are stored with an approval. */
function checkText(args: JsonObject): void {
  let faults: readonly Fault[];
  try {
    faults = invalidTextFaults('arguments', args);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    ({ faults } = error);
  }
  const [fault] = faults;
  if (!fault) return;
  const place = storableText(fault.loc.join('.').slice(0, MAX_SHOWN_NAME));
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${place}: ${fault.msg}`);
}

/** The library would send any error's message to the caller. */
function refuseFor({ log }: ProtocolServices, request_id: string, error: unknown): never {
  const answer = answerFor(error);
  if (hidesCause(error, answer)) log.error({ err: error, request_id }, 'a tool could not be called');
  const { detail } = answer.body;
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    typeof detail === 'string' ? detail : 'Internal server error',
  );
}
