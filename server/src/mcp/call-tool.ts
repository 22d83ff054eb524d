import { type InputRequiredResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { ToolCallLog } from '../audit/tool-call-log.ts';
import type { ToolCallDecision, ToolCallDenial } from '../audit/tool-calls.contract.ts';
import type { NewToolCall } from '../audit/tool-calls.db.ts';
import type { Actor, TenantActor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';
import { refusal } from '../platform/http/authorize.ts';
import { answerFor, hidesCause } from '../platform/http/errors.ts';
import type { Services } from '../services.ts';
import { clientOf } from './client-name.ts';
import type { CallMeta, Confirmation, Confirmations } from './confirmation.ts';
import { failure, type ResultJson, success } from './results.ts';
import type { Arguments, Tool } from './tools.ts';

/** What calls of tools need. Made once. */
export interface McpServices {
  services: Services;
  tools: ReadonlyMap<string, Tool>;
  toolCalls: ToolCallLog;
  confirmations: Confirmations;
}

/** One HTTP request of an admitted caller. */
export interface Exchange {
  actor: TenantActor;
  /** Tools that change something are out of reach. */
  readOnly: boolean;
  request: FastifyRequest;
  /** Whether the caller would be admitted now, too. */
  isStillAdmitted: () => Promise<boolean>;
}

type Result = ResultJson | InputRequiredResult;

interface Outcome {
  decision: ToolCallDecision;
  reason?: ToolCallDenial;
  status: number | null;
  result: Result | ProtocolError;
}

/** Calls a tool for its caller and writes the call down before the answer goes out. */
export async function callTool(
  mcp: McpServices,
  exchange: Exchange,
  called: { name: string; args: Arguments },
  meta: CallMeta,
): Promise<Result> {
  const { actor, request } = exchange;
  const at = mcp.services.clock();
  const begun = performance.now();
  const tool = mcp.tools.get(called.name);
  const name = tool ? called.name : unknownName(called.name);
  const fingerprint = mcp.toolCalls.fingerprint(actor.tenant_id, name, called.args);
  const { decision, reason, status, result } = tool
    ? await outcomeOf(mcp, exchange, tool, called.args, meta)
    : unknownTool();
  await writeDown(mcp, request, actor.tenant_id, {
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
  if (result instanceof ProtocolError) throw result;
  return result;
}

/** A call that cannot be written down is not answered, whatever it did. */
async function writeDown(
  { toolCalls, services }: McpServices,
  request: FastifyRequest,
  tenant_id: string,
  call: NewToolCall,
): Promise<void> {
  try {
    await toolCalls.append(tenant_id, call);
  } catch (error) {
    services.log.error({ err: error, request_id: request.id }, 'a tool call could not be written down');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal server error');
  }
}

async function outcomeOf(
  mcp: McpServices,
  exchange: Exchange,
  tool: Tool,
  args: Arguments,
  meta: CallMeta,
): Promise<Outcome> {
  const denied = denialOf(tool, exchange);
  if (denied) return denied;
  const confirmation = tool.destructive ? await confirm(mcp, exchange, tool, args, meta) : undefined;
  if (confirmation === 'declined') return denial('declined', 'Not confirmed; nothing was done');
  if (confirmation !== undefined && confirmation !== 'confirmed') {
    return { decision: 'asked', status: null, result: confirmation };
  }
  return { decision: 'allowed', ...(await carryOut(mcp, exchange, tool, args)) };
}

/**
 * Has a person asked about the arguments that the tool reads, and no others: those could fill the few hundred characters
 * that the person is shown, or leave the call without a fingerprint, and then nobody is asked.
 */
function confirm(
  { toolCalls, confirmations }: McpServices,
  { actor }: Exchange,
  tool: Tool,
  args: Arguments,
  meta: CallMeta,
): Promise<Confirmation> {
  const { name } = tool.definition;
  const declared = tool.declaredOf(args);
  const fingerprint = toolCalls.fingerprint(actor.tenant_id, name, declared);
  return confirmations.confirm(tool, declared, { caller: callerId(actor), tool: name, fingerprint }, meta);
}

/** The same check as over HTTP, at each call: what is listed may have been listed for somebody else. */
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

const unknownTool = (): Outcome => ({
  decision: 'denied',
  reason: 'unknown_tool',
  status: 404,
  result: new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool'),
});

/** Errors become results, in the words of the same request over HTTP; the inside of a 500 goes to the log alone. */
async function carryOut(
  { services }: McpServices,
  { actor, request }: Exchange,
  tool: Tool,
  args: Arguments,
): Promise<{ status: number; result: ResultJson }> {
  const { operation, carryOut } = tool.route;
  try {
    const reply = await carryOut(tool.partsOf(args), { actor });
    if (!reply) throw new Error(`${operation.id} answers by itself and cannot be a tool`);
    return { status: reply.status, result: await success(operation, reply.body) };
  } catch (error) {
    const answer = answerFor(error);
    if (hidesCause(error, answer))
      services.log.error({ err: error, request_id: request.id }, 'a tool failed');
    return { status: answer.status, result: failure(answer.status, answer.body.detail) };
  }
}

const callerId = (actor: Actor) =>
  actor.kind === 'api_key' ? actor.key_id : actor.kind === 'user' ? actor.user_id : '';

/** For the log of calls: what a caller named that is no tool, unless it is not even of the form of a name. */
const unknownName = (name: string) => (/^[a-z_]{1,64}$/.test(name) ? name : 'unknown');
