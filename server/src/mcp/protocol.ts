import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundClassificationOutcome,
} from '@modelcontextprotocol/server';
import type { Exchange, McpServices } from './call-tool.ts';
import { type Answer, answerOf } from './json-rpc.ts';
import { answerPlainCall } from './plain-call.ts';
import { makeServer, serverOptions } from './server.ts';
import { serveSessionless } from './sessionless.ts';

/** The headers that the transport knows. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The library quotes what it refuses, and that may be as long as a body. */
const MAX_REASON_LENGTH = 300;

/** Serves one message of an exchange, in whichever revision it is written. */
export type Serve = (exchange: Exchange, message: unknown) => Promise<Answer>;

/**
 * The library's two ways: the revision 2026-07-28, where each message says all about itself, and those before it. All
 * answer in JSON: no tool says anything before its result, and there is nothing to subscribe to.
 */
export function makeServe(mcp: McpServices): Serve {
  const options = serverOptions(mcp);
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (!exchange) throw new Error('A message of no exchange');
      return makeServer(mcp, options, exchange);
    },
    {
      legacy: 'reject',
      maxSubscriptions: 0,
      onerror: ({ message }) => {
        const reason = message.slice(0, MAX_REASON_LENGTH);
        mcp.services.log.info({ reason }, 'an MCP message was refused');
      },
    },
  );

  return async (exchange, message) => {
    const outcome = classify(exchange, message);
    const plain = await answerPlainCall(mcp, exchange, outcome, message);
    if (plain) return plain;
    if (outcome.kind === 'legacy') return serveSessionless(mcp, options, exchange, message);
    const request = webRequest(exchange);
    exchanges.set(request, exchange);
    return answerOf(await modern.fetch(request, { parsedBody: message }));
  };
}

function classify({ request: { headers } }: Exchange, body: unknown): InboundClassificationOutcome {
  const text = (name: (typeof HEADERS)[number]) => headers[name] as string | undefined;
  const protocolVersionHeader = text('mcp-protocol-version');
  const mcpMethodHeader = text('mcp-method');
  const mcpNameHeader = text('mcp-name');
  return classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  });
}

function webRequest({ request }: Exchange): Request {
  const headers = HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://localhost/v1/mcp', { method: 'POST', headers });
}
