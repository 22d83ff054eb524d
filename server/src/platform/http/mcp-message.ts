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

/** The first revision without a handshake. */
const REVISION = '2026-07-28';

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The library quotes refused messages, which may be as long as a body. */
const MAX_REASON_LENGTH = 300;

interface McpMessage {
  headers: IncomingHttpHeaders;
  message: unknown;
  log: Log;
}

/**
 * Serves a message in any revision of MCP without a session. The library answers revisions before 2026-07-28 with event
 * streams by default, so those requests use its transport for JSON.
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

/** @returns undefined for invalid JSON */
export function parseMessage(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || !isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * False if the header names the newer revision, which saves the full check for most messages. Posted responses go to
 * the handler, which refuses them, because this service never sends requests.
 */
const mayBeLegacy = (headers: IncomingHttpHeaders, message: unknown): boolean =>
  headers['mcp-protocol-version'] !== REVISION && isJsonObject(message) && 'method' in message;

/** Streams are not offered; the library would answer that too many are open. */
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

/** For the library. Content-Type and Accept were checked before. */
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
