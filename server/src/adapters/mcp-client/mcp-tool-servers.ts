import type { Client, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import { VERSION } from '../../platform/contract/about.ts';
import type { JsonObject } from '../../platform/json/json-object.ts';
import { storable } from '../../platform/json/storable-json.ts';
import {
  type OfferedTool,
  type ServerCall,
  type ToolResult,
  type ToolServerAddress,
  ToolServerError,
  type ToolServers,
} from '../../tools/tool-servers.port.ts';
import { type GuardOptions, guardedFetch, NotPublic } from '../outside/guarded-fetch.ts';
import { limitedResponse, TooLarge } from './limited-response.ts';

const MAX_RESULT_BYTES = 256 * 1024;
/** A result and the protocol's envelope around it. */
const MAX_RESPONSE_BYTES = MAX_RESULT_BYTES + 16 * 1024;
const MAX_LIST_PAGES = 8;
const IDEMPOTENCY_KEY = 'acp/idempotency-key';
/** Errors before anything was sent. */
const NOT_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);

/** MCP over Streamable HTTP to servers that tenants chose, with a new connection per exchange. */
export class McpToolServers implements ToolServers {
  readonly #fetch: Promise<typeof fetch>;

  constructor(options: GuardOptions) {
    this.#fetch = guardedFetch(options);
  }

  list(server: ToolServerAddress, signal?: AbortSignal): Promise<OfferedTool[]> {
    return this.#exchange(server, signal, async (client, options) => {
      const { tools } = await client.listTools(undefined, options);
      return limited(tools).map(({ name, title, description, inputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema: inputSchema as JsonObject,
        annotations,
      }));
    });
  }

  call(
    server: ToolServerAddress,
    { tool, args, idempotency_key }: ServerCall,
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    const meta = idempotency_key !== undefined && { _meta: { [IDEMPOTENCY_KEY]: idempotency_key } };
    return this.#exchange(server, signal, async (client, options) => {
      const result = await client.callTool({ name: tool, arguments: args, ...meta }, options);
      return limited(storable(result)) as ToolResult;
    });
  }

  async #exchange<T>(
    { url, headers, timeoutMs }: ToolServerAddress,
    caller: AbortSignal | undefined,
    work: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const late = AbortSignal.timeout(timeoutMs);
    const ended = new AbortController();
    const signal = AbortSignal.any([late, ended.signal, ...(caller ? [caller] : [])]);
    let failure: unknown;
    let isConnected = false;
    const send = await this.#fetch;
    const limitedFetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const both = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
      try {
        const response = await send(input, { ...init, signal: both });
        return limitedResponse(response, MAX_RESPONSE_BYTES, (error) => {
          failure ??= error;
          ended.abort(error);
        });
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    const transport = new StreamableHTTPClientTransport(url, {
      fetch: limitedFetch,
      requestInit: { headers: { ...headers } },
      // The guarded fetch follows no redirect.
      redirectPolicy: 'follow',
      reconnectionOptions: NO_RECONNECTION,
    });
    const client = new Client(
      { name: 'agent-control-plane', version: VERSION },
      {
        capabilities: {},
        listMaxPages: MAX_LIST_PAGES,
        versionNegotiation: { mode: 'auto' },
        jsonSchemaValidator: ACCEPTS_ALL,
      },
    );
    try {
      const options = { signal, timeout: timeoutMs };
      await client.connect(transport, options);
      isConnected = true;
      const result = await work(client, options);
      await transport.terminateSession().catch(() => {});
      return result;
    } catch (error) {
      const isSent = isConnected ? 'unknown' : 'no';
      if (late.aborted) throw new ToolServerError(`It did not answer within ${timeoutMs / 1000} s`, isSent);
      if (caller?.aborted) throw new ToolServerError('The call was broken off', isSent);
      const reason = failure ?? error;
      if (isConnected && isAnswer(reason)) throw new ToolServerError(reasonOf(reason), 'yes');
      throw new ToolServerError(reasonOf(reason), isRefused(reason) ? 'no' : isSent);
    } finally {
      ended.abort();
      await client.close().catch(() => {});
    }
  }
}

/** The library's validator would run a server's schema, whose regular expressions may never end. */
const ACCEPTS_ALL: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};

function limited<T>(result: T): T {
  if (Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES) throw new TooLarge();
  return result;
}

/** True for an address that takes no connection. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return NOT_SENT.has(String((Object(cause) as { code?: unknown }).code));
}

/** True for an error of the protocol and for an answer that is too large. */
const isAnswer = (error: unknown): boolean =>
  error instanceof TooLarge || typeof (Object(error) as { code?: unknown }).code === 'number';

/** Without the server's own text, which may quote a credential. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It cannot be reached';
  const causes = [error, error.cause, error.cause instanceof Error ? error.cause.cause : undefined];
  const known = causes.find((cause) => cause instanceof NotPublic || cause instanceof TooLarge);
  if (known instanceof Error) return known.message;
  const status = (error as { data?: { status?: unknown } }).data?.status;
  if (typeof status === 'number') return `It answered with status ${status}`;
  const coded = causes.find((cause) => typeof (cause as { code?: unknown } | undefined)?.code === 'string');
  if (coded) return `It cannot be reached: ${(coded as { code: string }).code}`;
  const { code } = error as { code?: unknown };
  if (typeof code === 'number') return `It answered with the error ${code}`;
  return 'It does not speak MCP';
}
