import type { Caller } from '../conversations/caller.ts';
import { hasPinSession } from '../pins/pin-gate.ts';
import type { TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { demandsFor, readApprovalRules, type WaitingRule } from '../recipes/fields/approval-rules.ts';
import type { McpServer, ToolTarget } from '../recipes/fields/mcp-servers.ts';
import { aliasOf, toolName } from '../recipes/fields/tool-names.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { requestApproval } from './approval-requests.ts';
import { MOST_WAITING } from './approvals.db.ts';
import type { CallRecord, CallRecords } from './call-records.port.ts';
import { callOnce } from './kept-calls.ts';
import { findListed, listServer } from './listed-tools.ts';
import { resultAsText } from './result-text.ts';
import { addressOf } from './server-addresses.ts';
import type { ToolMetrics, ToolOutcome } from './tool-metrics.ts';
import { downServer, noteServers } from './tool-servers.db.ts';
import { type ServerCall, type ToolResult, ToolServerError, type ToolServers } from './tool-servers.port.ts';
import { findTarget } from './tool-targets.ts';

export interface ToolServices {
  keyring: Keyring;
  toolServers: ToolServers;
  callRecords: CallRecords;
  toolMetrics: ToolMetrics;
  settings: { host_id: string };
}

export interface ToolCall {
  /** The gateway name, or the alias. */
  name: string;
  args: JsonObject;
  /** X-Pin-Session. */
  pin_session: string | null;
  request_id: string;
  signal?: AbortSignal | undefined;
}

/** An unknown tool is a protocol error, so it has no result. `name` is the gateway name. */
type Outcome = { name: string } & (
  | { kind: Exclude<ToolOutcome, 'unknown_tool'>; result: ToolResult }
  | { kind: 'unknown_tool'; result?: ToolResult }
);

const RECORDED: Readonly<
  Record<Outcome['kind'], { decision: CallRecord['decision']; status: number | null }>
> = {
  ok: { decision: 'allowed', status: 200 },
  tool_error: { decision: 'allowed', status: 200 },
  failed: { decision: 'allowed', status: 502 },
  unknown: { decision: 'allowed', status: 504 },
  pin_required: { decision: 'asked', status: null },
  waiting_for_approval: { decision: 'asked', status: null },
  too_many_waiting: { decision: 'allowed', status: 429 },
  too_large: { decision: 'allowed', status: 413 },
  no_room: { decision: 'allowed', status: 429 },
  unknown_tool: { decision: 'denied', status: 404 },
};

/** Records the call before it resolves. @returns undefined for an unknown tool */
export async function callTool(
  services: ToolServices,
  q: TenantDb,
  caller: Caller,
  call: ToolCall,
): Promise<ToolResult | undefined> {
  const begun = performance.now();
  const outcome = await outcomeOf(services, q, caller, call);
  const { kind, name } = outcome;
  await recordCall(services, q, kind, {
    ...call,
    name,
    instance_id: caller.instance_id,
    latency_ms: performance.now() - begun,
  });
  return outcome.kind === 'unknown_tool' ? undefined : outcome.result;
}

async function outcomeOf(
  services: ToolServices,
  q: TenantDb,
  caller: Caller,
  call: ToolCall,
): Promise<Outcome> {
  const { name: called, signal } = call;
  const target = await findTarget(services, q, caller, called, signal).catch((error: unknown) =>
    refusalOf(error),
  );
  if (!target) return { kind: 'unknown_tool', name: called };
  if ('result' in target) return { ...target, name: called };
  const name = toolName(target.server.name, target.tool);
  return { ...(await callTarget(services, q, caller, { ...call, ...target, name, called })), name };
}

/** @param call `name` is the gateway name, and `called` the one that was used */
async function callTarget(
  services: ToolServices,
  q: TenantDb,
  caller: Caller,
  call: ToolCall & ToolTarget & { called: string },
): Promise<Pick<MadeCall, 'kind' | 'result'>> {
  const { name, called, args, pin_session, signal, ...target } = call;
  const { config, instance_id, customer_id, sender } = caller;
  const { pin, waits } = demandsFor(readApprovalRules(config), name);
  const proof = { session_token: pin_session, purposes: [name, aliasOf(name)], customer_id, sender };
  if (pin && !(await hasPinSession(q, instance_id, proof))) {
    return { kind: 'pin_required', result: toolResult({ status: 'pin_required', purpose: called }, true) };
  }
  if (waits && Buffer.byteLength(JSON.stringify(args)) > MAX_WAITING_BYTES)
    return { kind: 'too_large', result: failure(TOO_LARGE) };
  const { server, tool } = target;
  const make = (idempotency_key?: string): Promise<MadeCall> =>
    waits === undefined
      ? callServer(
          services,
          q,
          caller,
          { server, tool, args, idempotency_key },
          idempotency_key === undefined ? signal : undefined,
        )
      : askPerson(services, q, caller, { tool: name, args, rule: waits });
  if (!sender?.burst) return make();
  return callOnce(services, q, sender.burst, {
    name,
    args,
    timeout_seconds: server.timeout_seconds,
    signal,
    make,
    isRepeatable: () => isRepeatable(services, q, caller, { server, tool }),
    unknown: UNKNOWN_CALL,
    refused: { kind: 'no_room', result: failure(NO_ROOM), isMade: 'no' },
  });
}

interface MadeCall {
  kind: ToolOutcome;
  result: ToolResult;
  isMade: 'yes' | 'no' | 'unknown';
}

async function askPerson(
  services: ToolServices,
  q: TenantDb,
  caller: Caller,
  call: { tool: string; args: JsonObject; rule: WaitingRule },
): Promise<MadeCall> {
  const approval_id = await requestApproval(services, q, caller, call);
  if (approval_id === undefined)
    return { kind: 'too_many_waiting', result: failure(TOO_MANY_WAITING), isMade: 'no' };
  const result = toolResult({ status: 'waiting_for_approval', approval_id });
  return { kind: 'waiting_for_approval', result, isMade: 'yes' };
}

/** By the annotations that its server gives it now. */
async function isRepeatable(
  { keyring, toolServers }: ToolServices,
  q: TenantQueryable,
  { customer_id }: Caller,
  { server, tool }: ToolTarget,
): Promise<boolean> {
  try {
    const address = await addressOf(q, keyring, customer_id, server);
    await listServer(toolServers, address);
    return (await findListed(toolServers, address, (tools) => tools.get(tool)))?.isRepeatable === true;
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    return false;
  }
}

/** A page of approvals contains the arguments of 100 calls. */
const MAX_WAITING_BYTES = 64 * 1024;
const TOO_LARGE =
  'A person decides about this call, and its arguments are larger than 64 KiB. It was not made.';

const NO_ROOM =
  'It was not called: the message has had 1,000 calls, or the tenant stores as much as it may, so that no result can be kept';
const TOO_MANY_WAITING = `Too many calls wait for a person: at most ${MOST_WAITING.of_conversation} in a conversation and ${MOST_WAITING.of_instance} of an agent. This one was not made; it can be tried again once some are decided.`;

/** A ToolServerError becomes a failed result. Only a name that the server lists is called. */
export async function callServer(
  { keyring, toolServers }: ToolServices,
  q: TenantQueryable,
  { instance_id, customer_id }: Pick<Caller, 'instance_id' | 'customer_id'>,
  { server, ...call }: { server: McpServer } & ServerCall,
  signal?: AbortSignal,
): Promise<MadeCall> {
  try {
    const address = await addressOf(q, keyring, customer_id, server);
    if (!(await findListed(toolServers, address, (tools) => tools.get(call.tool), signal)))
      return { kind: 'unknown_tool', result: failure(`${server.name} has no such tool`), isMade: 'no' };
    const result = resultAsText(await toolServers.call(address, call, signal));
    return { kind: result.isError === true ? 'tool_error' : 'ok', result, isMade: 'yes' };
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    const { message, isMade } = error;
    const state = downServer(server.name, message);
    if (!signal?.aborted && isMade !== 'yes') await q.run(noteServers(instance_id, [state]));
    if (isMade === 'unknown') {
      const words = `Nobody knows if the call of ${server.name} was made. ${message}`;
      return { ...UNKNOWN_CALL, result: withWords(UNKNOWN_CALL.result, words) };
    }
    return { kind: 'failed', result: failure(`${server.name} could not be used. ${message}`), isMade };
  }
}

/** The outcome where a server could not be asked whose alias it is. Rethrows what is no fault of a server. */
function refusalOf(error: unknown): Pick<MadeCall, 'kind' | 'result'> & { kind: 'failed' } {
  if (!(error instanceof ToolServerError)) throw error;
  return { kind: 'failed', result: failure(`The tool could not be used. ${error.message}`) };
}

export const failure = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] });

const toolResult = (value: JsonObject, isError = false): ToolResult => ({
  ...(isError && { isError }),
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

const withWords = (result: ToolResult, text: string): ToolResult => ({
  ...result,
  content: [...result.content, { type: 'text', text }],
});

/** It was sent, and no answer came. */
const UNKNOWN_CALL: MadeCall = {
  kind: 'unknown',
  result: toolResult({ status: 'unknown' }, true),
  isMade: 'unknown',
};

const MAX_RECORDED_NAME = 150;

/** Adds the call to the tenant's audit chain. */
export async function recordCall(
  { callRecords, toolMetrics }: ToolServices,
  q: TenantQueryable,
  kind: Outcome['kind'],
  {
    name,
    args,
    instance_id,
    latency_ms,
    request_id,
  }: { name: string; args: JsonObject; instance_id: string; latency_ms: number; request_id: string },
): Promise<void> {
  toolMetrics.calls.count(kind);
  // An unknown name is arbitrary text of the model.
  const tool = kind === 'unknown_tool' ? 'unknown' : name.slice(0, MAX_RECORDED_NAME);
  await callRecords.append(q.tenant_id, {
    at: q.now,
    tool,
    scope: null,
    ...RECORDED[kind],
    reason: kind === 'unknown_tool' ? 'unknown_tool' : null,
    latency_ms: Math.round(latency_ms),
    key_id: null,
    user_id: null,
    client_name: `instance ${instance_id}`,
    client_version: null,
    arguments_fingerprint: callRecords.fingerprint(q.tenant_id, tool, args),
    request_id,
  });
}
