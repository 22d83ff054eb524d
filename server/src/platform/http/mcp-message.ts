import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../json/json-object.ts';
import type { Log } from '../ports.ts';

/** The revision without a handshake, which the library's handler serves. */
const REVISION = '2026-07-28';

/** The request headers that the protocol reads. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The library quotes refused messages, which may be as long as a body. */
const MAX_REASON_LENGTH = 300;

/** One message of an HTTP request. */
interface McpMessage {
  headers: IncomingHttpHeaders;
  message: unknown;
  log: Log;
}

/**
 * Serves one message in any revision of MCP, without a session. The library serves it, with a server of its own. Its default
 * for revisions before 2026-07-28 answers with event streams, so those requests go to its transport for JSON instead.
 */
export async function serveMessage(
  newServer: () => Server,
  { headers, message, log }: McpMessage,
): Promise<Response> {
  const onerror = ({ message: reason }: Error) =>
    log.info({ reason: reason.slice(0, MAX_REASON_LENGTH) }, 'an MCP message was refused');
  const request = webRequest(headers);
  if (mayBeLegacy(headers, message) && (await isLegacyRequest(request, message)))
    return serveLegacy(newServer(), request, message);
  if (isSubscription(message)) return notOffered(message);
  const handler = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0, onerror });
  return handler.fetch(request, { parsedBody: message });
}

/** @returns undefined for bytes that are no JSON */
export function parseMessage(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || !isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * False where the header names the newer revision, which saves a second look at most messages. A posted response is left
 * to the handler, which refuses it: this service never sends a request.
 */
const mayBeLegacy = (headers: IncomingHttpHeaders, message: unknown): boolean =>
  headers['mcp-protocol-version'] !== REVISION && isJsonObject(message) && 'method' in message;

/** Streams are not offered, and the library would say that too many are open. */
const isSubscription = (message: unknown): message is { id: RequestId } =>
  isJSONRPCRequest(message) && message.method === 'subscriptions/listen';

const notOffered = ({ id }: { id: RequestId }) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'subscriptions/listen is not offered' } },
    { status: 404 },
  );

async function serveLegacy(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

/** The request as the library takes it. Content-Type and Accept have been checked already. */
function webRequest(given: IncomingHttpHeaders): Request {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  for (const name of PROTOCOL_HEADERS) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}
