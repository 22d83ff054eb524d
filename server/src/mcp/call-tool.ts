import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { ToolCallLog } from '../audit/tool-call-log.ts';
import type { ToolCallDecision, ToolCallDenial } from '../audit/tool-calls.contract.ts';
import type { NewToolCall } from '../audit/tool-calls.db.ts';
import type { TenantActor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { refusal } from '../platform/http/authorize.ts';
import { answerFor, hidesCause } from '../platform/http/errors.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { Log } from '../platform/ports.ts';
import type { CallMeta, Confirmations } from './confirmation.ts';
import { failure, success } from './results.ts';
import type { Arguments, Tool } from './tools.ts';

/** Shared by all calls. */
export interface McpServices {
  log: Log;
  tools: ReadonlyMap<string, Tool>;
  toolCalls: ToolCallLog;
  confirmations: Confirmations;
}

/** One HTTP request of an admitted caller. */
export interface Exchange {
  actor: TenantActor;
  q: TenantQueryable;
  /** Only tools that change nothing are listed and called. */
  readOnly: boolean;
  request: FastifyRequest;
  /** True while the caller would still be admitted. */
  isStillAdmitted: () => Promise<boolean>;
}

type Result = CallToolResult | InputRequiredResult;

interface Outcome {
  decision: ToolCallDecision;
  reason?: ToolCallDenial;
  status: number | null;
  result: Result;
}

const MAX_CLIENT_NAME_LENGTH = 100;

/** Calls a tool, and records the call before it is answered. */
export async function callTool(
  mcp: McpServices,
  exchange: Exchange,
  called: { name: string; args: Arguments },
  meta: CallMeta,
): Promise<Result> {
  const { actor, request, q } = exchange;
  const at = q.now;
  const begun = performance.now();
  const tool = mcp.tools.get(called.name);
  const name = tool ? called.name : loggedName(called.name);
  const fingerprint = mcp.toolCalls.fingerprint(actor.tenant_id, name, called.args);
  const outcome = tool && (await outcomeOf(mcp, exchange, tool, called.args, meta));
  const { decision, reason, status } = outcome ?? UNKNOWN_TOOL;
  await record(mcp, exchange, {
    at,
    tool: name,
    scope: tool?.route.operation.scope ?? null,
    decision,
    reason: reason ?? null,
    status,
    latency_ms: Math.round(performance.now() - begun),
    key_id: actor.kind === 'api_key' ? actor.key_id : null,
    user_id: actor.kind === 'user' ? actor.user_id : null,
    ...clientOf(request, meta),
    arguments_fingerprint: fingerprint,
    request_id: request.id,
  });
  if (!outcome) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool');
  return outcome.result;
}

/** A call without its row is not answered, even if it was carried out. */
async function record({ toolCalls, log }: McpServices, exchange: Exchange, call: NewToolCall): Promise<void> {
  try {
    await toolCalls.append(exchange.actor.tenant_id, call);
  } catch (error) {
    log.error({ err: error, request_id: call.request_id }, 'a tool call could not be written down');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal server error');
  }
}

const UNKNOWN_TOOL = { decision: 'denied', reason: 'unknown_tool', status: 404 } as const;

/** Never throws: errors become results, with the message of the same request over HTTP. */
async function outcomeOf(
  mcp: McpServices,
  exchange: Exchange,
  tool: Tool,
  args: Arguments,
  meta: CallMeta,
): Promise<Outcome> {
  const denied = denialOf(tool, exchange);
  if (denied) return denied;
  try {
    const asked = tool.destructive ? await askFirst(mcp, exchange, tool, args, meta) : undefined;
    return asked ?? (await execute(tool, args, exchange));
  } catch (error) {
    const answer = answerFor(error);
    if (hidesCause(error, answer))
      mcp.log.error({ err: error, request_id: exchange.request.id }, 'a tool failed');
    const result = failure(answer.status, answer.body.detail);
    return { decision: 'allowed', status: answer.status, result };
  }
}

/** Checks access at each call, as over HTTP: the list may be older than a change of the caller's role. */
function denialOf(tool: Tool, { actor, readOnly }: Exchange): Outcome | undefined {
  const { operation } = tool.route;
  const { scope } = operation;
  const refused = refusal(operation, actor);
  if (refused) {
    const lacksScope = actor.kind === 'api_key' && scope !== null && !holdsScope(actor.scopes, scope);
    return denial(lacksScope ? 'scope' : 'role', refused.message);
  }
  if (readOnly && !tool.readOnly)
    return denial('read_only', 'Only tools that change nothing are called here');
  return undefined;
}

const denial = (reason: ToolCallDenial, detail: string): Outcome => ({
  decision: 'denied',
  reason,
  status: 403,
  result: failure(403, detail),
});

/**
 * Asks a person about the arguments that the tool declares. Undeclared ones are left out: they could push the declared
 * ones out of the question, or prevent the fingerprint without which nobody is asked.
 * @returns undefined when the call may go on
 */
async function askFirst(
  { toolCalls, confirmations }: McpServices,
  { actor }: Exchange,
  tool: Tool,
  args: Arguments,
  meta: CallMeta,
): Promise<Outcome | undefined> {
  const { name } = tool.definition;
  const declared = tool.declaredOf(args);
  const fingerprint = toolCalls.fingerprint(actor.tenant_id, name, declared);
  const caller = actor.kind === 'api_key' ? actor.key_id : actor.user_id;
  const answer = await confirmations.confirm(tool, declared, { caller, tool: name, fingerprint }, meta);
  if (answer === 'declined') return denial('declined', 'Not confirmed; nothing was done');
  if (answer === undefined || answer === 'confirmed') return undefined;
  return { decision: 'asked', status: null, result: answer };
}

async function execute(tool: Tool, args: Arguments, { actor, request }: Exchange): Promise<Outcome> {
  const { operation, execute } = tool.route;
  const reply = await execute(tool.partsOf(args), { actor, request_id: request.id });
  if (!reply) throw new Error(`${operation.id} answers by itself and cannot be a tool`);
  return { decision: 'allowed', status: reply.status, result: await success(operation, reply.body) };
}

/** An unknown name as it is logged: `unknown` unless it has the form of a tool's name. */
const loggedName = (name: string) => (/^[a-z_]{1,64}$/.test(name) ? name : 'unknown');

/**
 * The calling program. Since 2026-07-28 each call names it; earlier revisions name it only in a handshake, which a service
 * without sessions forgets, so User-Agent takes its place.
 */
function clientOf(
  { headers }: FastifyRequest,
  { envelope = {} }: CallMeta,
): Pick<NewToolCall, 'client_name' | 'client_version'> {
  const { [CLIENT_INFO_META_KEY]: info } = envelope as Record<string, Implementation | undefined>;
  if (info) return { client_name: clip(info.name), client_version: clip(info.version) };
  const [, name, version] = /^([^\s/]+)(?:\/(\S+))?/.exec(headers['user-agent'] ?? '') ?? [];
  return { client_name: clip(name), client_version: clip(version) };
}

const clip = (text: string | undefined) =>
  text === undefined ? null : storableText(text.slice(0, MAX_CLIENT_NAME_LENGTH));
