import { LRUCache, type Perf } from 'lru-cache';
import { type CallOptions, type ControlPlane, ControlPlaneError } from './control-plane.ts';
import type { InboundMessage } from './inbound-message.ts';
import { at, isObject, type JsonObject, textOf } from './json.ts';
import { languageOf } from './language.ts';
import { errorName, type Log } from './log.ts';
import { textContent } from './mcp-result.ts';
import type { SentenceKey } from './sentences/en.ts';
import { quoted } from './tools/lines.ts';
import type { Situation, ToldApart, Tool } from './tools/tool.ts';

const cacheTtlMs = 60_000;
const maxCustomers = 1000;
const listTimeoutMs = 15_000;
const callTimeoutMs = 120_000;
/** Language models accept only such names. */
const namePattern = /^[\w-]{1,64}$/;

const waiting =
  'A person has to approve this first. Tell the sender so, and do not call the tool again: the outcome comes by itself.';

const unknownOutcome =
  'Nobody knows if the call was made: it was broken off. Do not call the tool again, and tell the sender so.';

/** The control plane's gateway of tools speaks MCP. Throws ControlPlaneError. */
async function ask(
  controlPlane: ControlPlane,
  { customer_id, conversation_id }: InboundMessage,
  method: string,
  { params, timeoutMs }: { params: JsonObject; timeoutMs: number },
): Promise<unknown> {
  const options: CallOptions = {
    query: { customer_id },
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { 'x-conversation-id': conversation_id },
    timeoutMs,
  };
  const answer = await controlPlane('POST', '/mcp', options);
  const error = textOf(at(answer, 'error', 'message'));
  if (error !== undefined) throw new ControlPlaneError(400, error);
  return at(answer, 'result');
}

async function call(
  { controlPlane, message }: Situation,
  name: string,
  args: JsonObject,
): Promise<string | ToldApart> {
  const told = (key: SentenceKey, for_model: string) => ({
    text: languageOf(message).say(key, { tool: name }),
    for_model,
  });
  const params = { name, arguments: args };
  const result = await ask(controlPlane, message, 'tools/call', { params, timeoutMs: callTimeoutMs });
  const status = at(result, 'structuredContent', 'status');
  if (status === 'pin_required') throw new ControlPlaneError(403, 'pin_required');
  if (status === 'waiting_for_approval') return told('call_waiting', waiting);
  if (status === 'unknown') return told('call_unknown', unknownOutcome);
  const text = textContent(result);
  if (at(result, 'isError') === true) return told('call_failed', `The tool failed. ${text}`);
  if (text === '') return told('call_done', 'Done.');
  return isForPrograms(text) ? told('call_unread', text) : text;
}

function isForPrograms(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function toolOf(offered: unknown): Tool[] {
  const name = textOf(at(offered, 'name'));
  const parameters = at(offered, 'inputSchema');
  if (name === undefined || !namePattern.test(name) || !isObject(parameters)) return [];
  return [
    {
      name,
      description: textOf(at(offered, 'description')) ?? name,
      action: (args, { message }) =>
        languageOf(message).say('to_run', { name, arguments: quoted(JSON.stringify(args)) }),
      parameters,
      purpose: name,
      run: (context, args) => call(context, name, args),
    },
  ];
}

/** Tools of the agent's MCP servers, only for its model. Cached like the configuration; never throws. */
export function createGateway(log: Log, perf: Perf, secretsVersion: () => number) {
  const cache = new LRUCache<string, Tool[]>({
    max: maxCustomers,
    ttl: cacheTtlMs,
    ttlResolution: 0,
    perf,
  });

  return async ({ controlPlane, message }: Situation): Promise<readonly Tool[]> => {
    const key = `${secretsVersion()} ${message.customer_id}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    try {
      const result = await ask(controlPlane, message, 'tools/list', { params: {}, timeoutMs: listTimeoutMs });
      const offered = at(result, 'tools');
      const tools = Array.isArray(offered) ? offered.flatMap(toolOf) : [];
      cache.set(key, tools);
      return tools;
    } catch (error) {
      log.warn('tools_unknown', { message_id: message.message_id, error: errorName(error) });
      return [];
    }
  };
}
