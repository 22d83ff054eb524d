import { INVALID_REQUEST, PARSE_ERROR, validateOriginHeader } from '@modelcontextprotocol/server';
import type { ToolCallLog } from '../audit/tool-call-log.ts';
import type { TenantActor } from '../platform/actor.ts';
import { MAX_BATCH } from '../platform/contract/json-rpc.ts';
import { acceptedTypes } from '../platform/http/accept.ts';
import { admit, type Guards } from '../platform/http/admission.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import { answerFor } from '../platform/http/errors.ts';
import type { Call } from '../platform/http/handler.ts';
import { parseMessage } from '../platform/http/mcp-message.ts';
import type { Log } from '../platform/ports.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Exchange } from './call-tool.ts';
import { Confirmations } from './confirmation.ts';
import { callMcp } from './mcp.contract.ts';
import { makeServe, type Serve } from './protocol.ts';
import { makeSearch } from './search.ts';
import { toolsOf } from './tools.ts';

/** Revisions with batches. A client without a revision speaks 2025-03-26. */
const BATCH_REVISIONS = new Set([undefined, '2024-11-05', '2025-03-26']);
/** A code that JSON-RPC leaves to implementations. */
const REFUSED = -32_000;

export interface McpOptions {
  guards: Guards;
  keyring: Keyring;
  log: Log;
  toolCalls: ToolCallLog;
  /** All routes of the service, including those of tools. */
  routes: () => readonly CompiledRoute[];
  /** Tools without an HTTP route. */
  toolRoutes: () => readonly CompiledRoute[];
  /** Hosts whose web pages may call. */
  allowedOrigins: readonly string[];
}

/** The body is bytes. */
export type Transport = (call: Call<typeof callMcp>) => Promise<Response>;

/** Streamable HTTP without sessions. */
export function makeTransport(options: McpOptions): Transport {
  const { guards, keyring, log, toolCalls, routes, toolRoutes } = options;
  const confirmations = new Confirmations(keyring);
  const tools = toolsOf(routes(), toolRoutes());
  const serve = makeServe({ log, tools, search: makeSearch(tools), toolCalls, confirmations });
  const allowedOrigins = [...options.allowedOrigins];
  return async ({ actor, q, query, body, request, reply, isStillAdmitted, onRefused }) => {
    const { read_only: readOnly } = query;
    const exchange: Exchange = {
      actor: actor as TenantActor,
      q,
      readOnly,
      request,
      reply,
      isStillAdmitted,
      onRefused,
    };
    return refuse(exchange, allowedOrigins) ?? respond(body, exchange, guards, serve);
  };
}

/** @param id null: the error belongs to no request (JSON-RPC 2.0, section 5.1) */
const errorResponse = (status: number, code: number, message: string, id: string | number | null = null) =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });

/**
 * Checks Origin and Accept (Streamable HTTP, "Security Warning" and "Sending Messages to the Server"). Accept may omit
 * event streams, because responses are JSON.
 */
function refuse({ request }: Exchange, allowedOrigins: string[]): Response | undefined {
  const { accept, origin } = request.headers;
  if (!validateOriginHeader(origin, allowedOrigins).ok)
    return errorResponse(403, REFUSED, 'The Origin is not allowed');
  if (acceptedTypes(accept, ['application/json']).length === 0)
    return errorResponse(406, REFUSED, 'Accept has to take application/json');
  return undefined;
}

async function respond(body: unknown, exchange: Exchange, guards: Guards, serve: Serve): Promise<Response> {
  const message = parseMessage(body);
  if (message === undefined) return errorResponse(400, PARSE_ERROR, 'The body is not JSON');
  if (!Array.isArray(message)) return serve(exchange, message);
  const refused = refuseBatch(message, exchange);
  if (refused) return refused;
  // The first message was counted at admission.
  for (const _ of message.slice(1)) await admit(callMcp, guards, exchange.request, exchange.reply);
  return serveBatch(message, exchange, serve);
}

function refuseBatch(messages: readonly unknown[], { request }: Exchange): Response | undefined {
  const revision = request.headers['mcp-protocol-version'] as string | undefined;
  if (!BATCH_REVISIONS.has(revision))
    return errorResponse(400, INVALID_REQUEST, 'This revision has no batches');
  if (messages.length === 0) return errorResponse(400, INVALID_REQUEST, 'The batch is empty');
  if (messages.length > MAX_BATCH) {
    return errorResponse(400, INVALID_REQUEST, `A batch holds at most ${MAX_BATCH} messages`);
  }
  return undefined;
}

/**
 * Serves messages in sequence and independently. When the caller's key or session ends, the remaining messages are
 * refused.
 */
async function serveBatch(messages: readonly unknown[], exchange: Exchange, serve: Serve): Promise<Response> {
  const answers: unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const refusal = index === 0 ? undefined : await refusalOf(exchange);
    const response = refusal === undefined ? await serve(exchange, message) : refuseMessage(message, refusal);
    if (response.body !== null) answers.push(await response.json());
  }
  return answers.length === 0 ? new Response(null, { status: 202 }) : Response.json(answers);
}

/** undefined while the caller is admitted. Never throws, because earlier messages are answered. */
async function refusalOf({ isStillAdmitted, request }: Exchange): Promise<string | undefined> {
  try {
    return (await isStillAdmitted()) ? undefined : 'Not authenticated';
  } catch (error) {
    request.log.error({ reqId: request.id, err: error }, 'request failed');
    const { detail } = answerFor(error).body;
    return typeof detail === 'string' ? detail : 'Not valid';
  }
}

function refuseMessage(message: unknown, reason: string): Response {
  const { id } = Object(message) as { id?: unknown };
  const isRequest = typeof id === 'string' || typeof id === 'number';
  return isRequest ? errorResponse(401, REFUSED, reason, id) : new Response(null, { status: 202 });
}
