import { BOUNDS } from '../catalogue/bounds.contract.ts';
import type { Caller } from '../conversations/caller.ts';
import { hasPinSession } from '../pins/pin-gate.ts';
import type { TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { demandsFor, readApprovalRules } from '../recipes/fields/approval-rules.ts';
import { findTool, type McpServer, readMcpServers, toolName } from '../recipes/fields/mcp-servers.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { requestApproval } from './approval-requests.ts';
import { MOST_WAITING } from './approvals.db.ts';
import type { CallRecord, CallRecords } from './call-records.port.ts';
import { callOnce } from './kept-calls.ts';
import { isListed } from './listed-tools.ts';
import { addressOf } from './server-addresses.ts';
import type { ToolMetrics, ToolOutcome } from './tool-metrics.ts';
import { noteServers, type ServerState } from './tool-servers.db.ts';
import {
  type OfferedTool,
  type ServerCall,
  type ToolResult,
  ToolServerError,
  type ToolServers,
} from './tool-servers.port.ts';

export interface ToolServices {
  keyring: Keyring;
  toolServers: ToolServers;
  callRecords: CallRecords;
  toolMetrics: ToolMetrics;
  settings: { host_id: string };
}

/** Timeout of a server for the list of tools; calls may have a longer one. */
const LIST_TIMEOUT_MS = 10_000;

/** The tools of all servers that answer, under their gateway names. */
export async function listTools(
  services: ToolServices,
  q: TenantQueryable,
  { instance_id, customer_id, config }: Caller,
  signal?: AbortSignal,
): Promise<OfferedTool[]> {
  const found: Found[] = [];
  let bytes = 0;
  // Recipes from before the bound may name more servers than are asked at once.
  for (const servers of inGroups(readMcpServers(config), BOUNDS.configuration.mcp_servers)) {
    const group = servers.map((server) => askServer(services, q, customer_id, server, signal));
    for (const one of await Promise.all(group)) {
      bytes += Buffer.byteLength(JSON.stringify(one.tools));
      found.push(bytes > BOUNDS.page.tools_bytes ? withoutTools(one) : one);
    }
    if (bytes > BOUNDS.page.tools_bytes || signal?.aborted) break;
  }
  if (found.length > 0 && !signal?.aborted)
    await q.run(
      noteServers(
        instance_id,
        found.map(({ state }) => state),
      ),
    );
  return found.flatMap(({ tools }) => tools);
}

interface Found {
  tools: OfferedTool[];
  state: ServerState;
}

const TOO_MANY_TOOLS = 'The list of all tools would be larger than 1 MiB, so that it has none of this server';

const withoutTools = ({ state }: Found): Found => ({
  tools: [],
  state: { ...state, ok: false, tools: null, error: state.error ?? TOO_MANY_TOOLS },
});

function* inGroups<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

async function askServer(
  { keyring, toolServers }: ToolServices,
  q: TenantQueryable,
  customer_id: string,
  server: McpServer,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { name, allowed_tools } = server;
  try {
    const address = await addressOf(q, keyring, customer_id, server);
    const timeoutMs = Math.min(address.timeoutMs, LIST_TIMEOUT_MS);
    const offered = await toolServers.list({ ...address, timeoutMs }, signal);
    const tools = offered
      .filter((tool) => allowed_tools === null || allowed_tools.includes(tool.name))
      .map((tool) => ({ ...tool, name: toolName(name, tool.name) }));
    return { tools, state: { name, ok: true, tools: tools.length, error: null } };
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    return { tools: [], state: { name, ok: false, tools: null, error: error.message } };
  }
}

export interface ToolCall {
  name: string;
  args: JsonObject;
  /** X-Pin-Session. */
  pin_session: string | null;
  request_id: string;
  signal?: AbortSignal | undefined;
}

/** An unknown tool is a protocol error, so it has no result. */
type Outcome =
  | { kind: Exclude<ToolOutcome, 'unknown_tool'>; result: ToolResult }
  | { kind: 'unknown_tool'; result?: ToolResult };

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
  const { kind } = outcome;
  await recordCall(services, q, kind, {
    ...call,
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
  const { name, args, pin_session, signal } = call;
  const { config, instance_id, customer_id, sender } = caller;
  const target = isStorableName(name) ? findTool(readMcpServers(config), name) : undefined;
  if (!target) return { kind: 'unknown_tool' };
  const { pin, expires_minutes } = demandsFor(readApprovalRules(config), name);
  const proof = { session_token: pin_session, purpose: name, customer_id, sender };
  if (pin && !(await hasPinSession(q, instance_id, proof))) {
    return { kind: 'pin_required', result: toolResult({ status: 'pin_required', purpose: name }, true) };
  }
  if (expires_minutes !== undefined && Buffer.byteLength(JSON.stringify(args)) > MAX_WAITING_BYTES)
    return { kind: 'too_large', result: failure(TOO_LARGE) };
  const make = (idempotency_key?: string): Promise<MadeCall> =>
    expires_minutes === undefined
      ? callServer(
          services,
          q,
          caller,
          { ...target, args, idempotency_key },
          idempotency_key === undefined ? signal : undefined,
        )
      : askPerson(services, q, caller, { tool: name, args, expires_minutes });
  if (!sender?.burst) return make();
  return callOnce(services, q, sender.burst, {
    name,
    args,
    timeout_seconds: target.server.timeout_seconds,
    signal,
    make,
    isRepeatable: () => isRepeatable(services, q, caller, target),
    unknown: UNKNOWN_CALL,
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
  call: { tool: string; args: JsonObject; expires_minutes: number },
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
  { server, tool }: { server: McpServer; tool: string },
): Promise<boolean> {
  try {
    const address = await addressOf(q, keyring, customer_id, server);
    const offered = await toolServers.list(address);
    const { readOnlyHint, idempotentHint } = offered.find(({ name }) => name === tool)?.annotations ?? {};
    return readOnlyHint === true || idempotentHint === true;
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    return false;
  }
}

/** The limit of tool names in approval rules: no rule could match a longer name. */
const MAX_NAME = 300;

const isStorableName = (name: string) => name.length <= MAX_NAME && storableText(name) === name;

/** A page of approvals contains the arguments of 100 calls. */
const MAX_WAITING_BYTES = 64 * 1024;
const TOO_LARGE =
  'A person decides about this call, and its arguments are larger than 64 KiB. It was not made.';

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
    if (!(await isListed(toolServers, address, call.tool, signal)))
      return { kind: 'unknown_tool', result: failure(`${server.name} has no such tool`), isMade: 'no' };
    const result = await toolServers.call(address, call, signal);
    return { kind: result.isError === true ? 'tool_error' : 'ok', result, isMade: 'yes' };
  } catch (error) {
    if (!(error instanceof ToolServerError)) throw error;
    const { message, isMade } = error;
    const state = { name: server.name, ok: false, tools: null, error: message };
    if (!signal?.aborted && isMade !== 'yes') await q.run(noteServers(instance_id, [state]));
    if (isMade === 'unknown') {
      const words = `Nobody knows if the call of ${server.name} was made. ${message}`;
      return { ...UNKNOWN_CALL, result: withWords(UNKNOWN_CALL.result, words) };
    }
    return { kind: 'failed', result: failure(`${server.name} could not be used. ${message}`), isMade };
  }
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
