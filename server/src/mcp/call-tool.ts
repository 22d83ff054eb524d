import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
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
import { type Called, resolveCall } from './called.ts';
import type { CallMeta, Confirmations } from './confirmation.ts';
import { searchOperations } from './operations.contract.ts';
import { failure, resultOf, success } from './results.ts';
import { noteForPerson, type Search } from './search.ts';
import { type Arguments, checkArguments, mayChange, type Tool, type Tools } from './tools.ts';

export interface McpServices {
  log: Log;
  tools: Tools;
  search: Search;
  toolCalls: ToolCallLog;
  confirmations: Confirmations;
}

/** An admitted HTTP request. */
export interface Exchange {
  actor: TenantActor;
  q: TenantQueryable;
  /** Lists and calls only tools that change nothing. */
  readOnly: boolean;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Calls back when the caller would no longer be admitted. @returns unsubscribe */
  onRefused: (listener: () => void) => Promise<() => void>;
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

/** Records the call before answering it. */
export async function callTool(
  mcp: McpServices,
  exchange: Exchange,
  given: { name: string; args: Arguments },
  meta: CallMeta,
): Promise<Result> {
  const { actor, request, q } = exchange;
  const at = q.now;
  const begun = performance.now();
  const called = resolveCall(mcp.tools, exchange, given.name, given.args);
  const { name, args, target } = called;
  const fingerprint = mcp.toolCalls.fingerprint(actor.tenant_id, name, args);
  const outcome = await outcomeOf(mcp, exchange, called, meta);
  const { decision, reason, status } = outcome;
  await record(mcp, exchange, {
    at,
    tool: name,
    scope: 'tool' in target ? target.tool.route.operation.scope : null,
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
  if ('unknown' in target) throw new ProtocolError(ProtocolErrorCode.InvalidParams, target.unknown);
  return outcome.result;
}

/** An unrecorded call is an error to the client, even if it was executed. */
async function record({ toolCalls, log }: McpServices, exchange: Exchange, call: NewToolCall): Promise<void> {
  try {
    await toolCalls.append(exchange.actor.tenant_id, call);
  } catch (error) {
    log.error({ err: error, request_id: call.request_id }, 'a tool call could not be written down');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal server error');
  }
}

/** Never throws: errors become results with the message of REST. */
async function outcomeOf(
  mcp: McpServices,
  exchange: Exchange,
  { target, args }: Called,
  meta: CallMeta,
): Promise<Outcome> {
  if ('unknown' in target) return denial('unknown_tool', target.unknown, 404);
  if ('refused' in target) return denial(target.refused.reason, target.refused.detail, target.refused.status);
  const { tool } = target;
  const denied = denialOf(tool, exchange);
  if (denied) return denied;
  try {
    checkArguments(tool, args);
    const asked = tool.destructive ? await askFirst(mcp, exchange, tool, args, meta) : undefined;
    return asked ?? (await execute(mcp, exchange, tool, args));
  } catch (error) {
    const answer = answerFor(error);
    if (hidesCause(error, answer))
      mcp.log.error({ err: error, request_id: exchange.request.id }, 'a tool failed');
    const result = failure(answer.status, answer.body.detail);
    return { decision: 'allowed', status: answer.status, result };
  }
}

/** Checks access at each call: the role may have changed since the list. */
function denialOf(tool: Tool, { actor, readOnly }: Exchange): Outcome | undefined {
  const { operation } = tool.route;
  const { scope } = operation;
  const refused = refusal(operation, actor);
  if (refused) {
    const lacksScope = actor.kind === 'api_key' && scope !== null && !holdsScope(actor.scopes, scope);
    return denial(lacksScope ? 'scope' : 'role', refused.message);
  }
  if (readOnly && mayChange(tool))
    return denial('read_only', 'Only tools that change nothing are called here');
  return undefined;
}

const denial = (reason: ToolCallDenial, detail: string, status = 403): Outcome => ({
  decision: 'denied',
  reason,
  status,
  result: failure(status, detail),
});

/**
 * Asks only about permitted calls with valid arguments.
 * @returns undefined when the call may proceed
 */
async function askFirst(
  { toolCalls, confirmations }: McpServices,
  { actor, q }: Exchange,
  tool: Tool,
  args: Arguments,
  meta: CallMeta,
): Promise<Outcome | undefined> {
  const { name } = tool;
  const fingerprint = toolCalls.fingerprint(actor.tenant_id, name, args);
  const caller = actor.kind === 'api_key' ? actor.key_id : actor.user_id;
  const question = { caller, tool: name, fingerprint };
  const answer = await confirmations.confirm(q, tool, args, question, meta);
  if (answer === 'declined') return denial('declined', 'Not confirmed; nothing was done');
  if (answer === undefined || answer === 'confirmed') return undefined;
  return { decision: 'asked', status: null, result: answer };
}

async function execute(
  { tools, search }: McpServices,
  { actor, readOnly, request, reply, isStillAdmitted, onRefused }: Exchange,
  tool: Tool,
  args: Arguments,
): Promise<Outcome> {
  const { operation, execute } = tool.route;
  if (operation.id === searchOperations.id) {
    const found = search(String(args.query), actor, readOnly);
    return { decision: 'allowed', status: 200, result: success(found) };
  }
  const connected = tool.waits ? { reply, isStillAdmitted, onRefused } : {};
  const answer = await execute(tool.partsOf(args), { actor, request_id: request.id, ...connected });
  if (!answer) throw new Error(`${operation.id} answers by itself and cannot be a tool`);
  const result = await resultOf(operation, answer.body, noteForPerson(operation, answer.body, tools));
  return { decision: 'allowed', status: result.isError ? 413 : answer.status, result };
}

/**
 * Since 2026-07-28 each call names its client. Earlier revisions name it only in a handshake, which a service without
 * sessions does not remember; User-Agent replaces it.
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
