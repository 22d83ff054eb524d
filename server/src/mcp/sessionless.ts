import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type ServerOptions,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Exchange, McpServices } from './call-tool.ts';
import { type Answer, errorAnswer, INVALID_REQUEST, REFUSED } from './json-rpc.ts';
import { OneMessage } from './one-message.ts';
import { makeServer } from './server.ts';

/**
 * Serves a message of a revision before 2026-07-28, without a session: the handshake is answered, and no other message
 * asks for it.
 */
export async function serveSessionless(
  mcp: McpServices,
  options: ServerOptions,
  exchange: Exchange,
  given: unknown,
): Promise<Answer> {
  const message = parse(given);
  if (!message) return errorAnswer(400, INVALID_REQUEST, 'The message is none of JSON-RPC');
  const revision = exchange.request.headers['mcp-protocol-version'];
  const isHandshake = 'method' in message && message.method === 'initialize';
  if (!isHandshake && revision !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(revision))) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return errorAnswer(400, REFUSED, `The protocol version is not supported; these are: ${known}`);
  }
  if (!('method' in message))
    return errorAnswer(400, INVALID_REQUEST, 'Nothing was asked that this could answer');
  // Nobody listens to a notification: there is nothing going on to cancel, and no session to be ready for.
  if (!('id' in message)) return { status: 202, text: null };
  const transport = new OneMessage();
  await makeServer(mcp, options, exchange).connect(transport);
  return transport.exchange(message);
}

function parse(message: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(message);
  } catch {
    return undefined;
  }
}
