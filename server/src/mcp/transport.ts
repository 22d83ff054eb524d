import { isUtf8 } from 'node:buffer';
import { validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyReply } from 'fastify';
import type { ToolCallLog } from '../audit/tool-call-log.ts';
import { acceptedTypes } from '../platform/http/accept.ts';
import { admit, type Guards } from '../platform/http/admission.ts';
import type { CompiledRoute } from '../platform/http/compiled-route.ts';
import { answerFor } from '../platform/http/errors.ts';
import type { Services } from '../services.ts';
import type { Exchange } from './call-tool.ts';
import { Confirmations } from './confirmation.ts';
import { type Answer, errorAnswer, INVALID_REQUEST, PARSE_ERROR, REFUSED } from './json-rpc.ts';
import { callMcp } from './mcp.contract.ts';
import { makeServe, type Serve } from './protocol.ts';
import { toolsOf } from './tools.ts';

const MAX_BATCH = 50;
/** The revisions that know batches; a client that names none speaks the last of them. */
const BATCH_REVISIONS = new Set([undefined, '2024-11-05', '2025-03-26']);

export interface McpOptions {
  guards: Guards;
  services: Services;
  /** What may become a tool. */
  routes: readonly CompiledRoute[];
  toolCalls: ToolCallLog;
  /** Hosts whose pages may call, besides those without an Origin. */
  allowedOrigins: readonly string[];
}

/** Answers a request to the endpoint, whose body is the bytes that came. */
export type AnswerRequest = (exchange: Exchange, body: unknown, reply: FastifyReply) => Promise<Answer>;

/** Streamable HTTP without sessions. */
export function makeTransport({
  guards,
  services,
  routes,
  toolCalls,
  allowedOrigins,
}: McpOptions): AnswerRequest {
  const confirmations = new Confirmations(services.keyring);
  const serve = makeServe({ services, tools: toolsOf(routes), toolCalls, confirmations });
  const origins = [...allowedOrigins];
  return async (exchange, body, reply) =>
    refuse(exchange, origins) ?? (await answerBytes(body, exchange, guards, reply, serve));
}

/**
 * What the transport asks of a request (Streamable HTTP, "Sending Messages to the Server" and "Security Warning"). Clients
 * have to take streams as well; who writes a request by hand seldom says so, and all answers are JSON.
 */
function refuse({ request }: Exchange, allowedOrigins: string[]): Answer | undefined {
  const { accept, origin } = request.headers;
  const checked = validateOriginHeader(origin, allowedOrigins);
  if (!checked.ok) return errorAnswer(403, REFUSED, 'The Origin is not allowed');
  if (acceptedTypes(accept, ['application/json']).length === 0)
    return errorAnswer(406, REFUSED, 'Accept has to take application/json');
  return undefined;
}

async function answerBytes(
  body: unknown,
  exchange: Exchange,
  guards: Guards,
  reply: FastifyReply,
  serve: Serve,
): Promise<Answer> {
  const message = parse(body);
  if (message === undefined) return errorAnswer(400, PARSE_ERROR, 'The body is not JSON');
  if (!Array.isArray(message)) return serve(exchange, message);
  const refused = refuseBatch(message, exchange);
  if (refused) return refused;
  // Each message counts as a request; the first has been counted.
  for (const _ of message.slice(1)) await admit(callMcp, guards, exchange.request, reply);
  return answerBatch(message, exchange, serve);
}

function parse(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || !isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function refuseBatch(messages: readonly unknown[], { request }: Exchange): Answer | undefined {
  const revision = request.headers['mcp-protocol-version'] as string | undefined;
  if (!BATCH_REVISIONS.has(revision))
    return errorAnswer(400, INVALID_REQUEST, 'This revision has no batches');
  if (messages.length === 0) return errorAnswer(400, INVALID_REQUEST, 'The batch is empty');
  if (messages.length > MAX_BATCH) {
    return errorAnswer(400, INVALID_REQUEST, `A batch holds at most ${MAX_BATCH} messages`);
  }
  return undefined;
}

/**
 * One after the other, each as if it had come alone: one that fails, or is cancelled by another, holds up nobody, and
 * what has not begun when the caller's key or session ends is refused.
 */
async function answerBatch(messages: readonly unknown[], exchange: Exchange, serve: Serve): Promise<Answer> {
  const texts: string[] = [];
  for (const [index, message] of messages.entries()) {
    const refusal = index === 0 ? undefined : await refusalOf(exchange);
    const { text } = refusal ? notBegun(message, refusal) : await serve(exchange, message);
    if (text !== null) texts.push(text);
  }
  return texts.length === 0 ? { status: 202, text: null } : { status: 200, text: `[${texts.join()}]` };
}

/** Why the caller would not be admitted now. What went before was answered, so nothing is thrown. */
async function refusalOf({ isStillAdmitted, request }: Exchange): Promise<string | undefined> {
  try {
    return (await isStillAdmitted()) ? undefined : 'Not authenticated';
  } catch (error) {
    request.log.error({ reqId: request.id, err: error }, 'request failed');
    const { detail } = answerFor(error).body;
    return typeof detail === 'string' ? detail : 'Not valid';
  }
}

function notBegun(message: unknown, why: string): Answer {
  const { id } = Object(message) as { id?: unknown };
  const isRequest = typeof id === 'string' || typeof id === 'number';
  return isRequest ? errorAnswer(401, REFUSED, why, id) : { status: 202, text: null };
}
