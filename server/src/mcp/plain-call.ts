import {
  type InboundClassificationOutcome,
  ProtocolError,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../platform/json/json-object.ts';
import { callTool, type Exchange, type McpServices } from './call-tool.ts';
import type { Answer } from './json-rpc.ts';
import { REVISION } from './revision.ts';
import { SERVER_INFO } from './server.ts';
import type { Arguments } from './tools.ts';

interface PlainCall {
  id: string | number;
  name: string;
  args: Arguments;
  /** Present since the revision 2026-07-28. */
  envelope: object | undefined;
}

const MESSAGE_KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAM_KEYS = new Set(['name', 'arguments', '_meta']);
const MODERN_START = `{"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: SERVER_INFO })},`;

/**
 * Answers an ordinary call of a tool without the library, whose server, transport and four checks of the message by
 * schema cost as much again as the whole call. @returns undefined when the library has to judge: the message is unusual,
 * the tool unknown, or a person may have to be asked
 */
export async function answerPlainCall(
  mcp: McpServices,
  exchange: Exchange,
  outcome: InboundClassificationOutcome,
  message: unknown,
): Promise<Answer | undefined> {
  const call = plainCall(mcp, exchange, outcome, message);
  if (!call) return undefined;
  const { id, envelope } = call;
  const meta = { ...(envelope && { envelope }), requestState: () => undefined };
  const answer = (member: string): Answer => ({
    status: 200,
    text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${member}}`,
  });
  try {
    const result = await callTool(mcp, exchange, call, meta);
    if (typeof result !== 'string') throw new Error('Nobody is asked about what takes nothing away');
    return answer(`"result":${envelope ? MODERN_START + result.slice(1) : result}`);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message } = error;
    return answer(`"error":${JSON.stringify({ code, message })}`);
  }
}

function plainCall(
  { tools }: McpServices,
  exchange: Exchange,
  outcome: InboundClassificationOutcome,
  message: unknown,
): PlainCall | undefined {
  if (!isJsonObject(message) || !hasOnly(message, MESSAGE_KEYS)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isJsonObject(params)) return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const { name, arguments: args = {}, _meta: envelope } = params;
  if (typeof name !== 'string' || !isJsonObject(args) || !hasOnly(params, PARAM_KEYS)) return undefined;
  // Unknown ones are the library's to refuse, and about destructive ones a person may have to be asked.
  if (tools.get(name)?.destructive !== false) return undefined;
  if (!isInOrder(exchange, outcome, name, envelope)) return undefined;
  return { id: id as string | number, name, args, envelope: envelope as object | undefined };
}

/** Whether the headers say what the message says, in a revision that is known. */
function isInOrder(
  { request: { headers } }: Exchange,
  outcome: InboundClassificationOutcome,
  name: string,
  envelope: unknown,
): boolean {
  const revision = headers['mcp-protocol-version'];
  if (outcome.kind === 'modern') {
    const isServed = outcome.classification.revision === REVISION && revision === REVISION;
    return isServed && headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name;
  }
  const isKnown = revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(revision));
  return outcome.kind === 'legacy' && envelope === undefined && isKnown;
}

const hasOnly = (value: object, names: ReadonlySet<string>) =>
  Object.keys(value).every((name) => names.has(name));
