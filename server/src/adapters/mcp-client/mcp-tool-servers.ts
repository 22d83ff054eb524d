import type * as Library from '@modelcontextprotocol/client';
import type {
  Client,
  JSONRPCMessage,
  JsonSchemaValidator,
  jsonSchemaValidator,
  RequestOptions,
} from '@modelcontextprotocol/client';
import { VERSION } from '../../platform/contract/about.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import { storable } from '../../platform/json/storable-json.ts';
import { signalAfter } from '../../platform/signal-after.ts';
import {
  type ByteBudget,
  type ListedTools,
  type ServerCall,
  type ToolServerAddress,
  ToolServerError,
  type ToolServers,
} from '../../tools/tool-servers.port.ts';
import { type GuardOptions, guardedFetch } from '../outside/guarded-fetch.ts';
import { isAnswer, isLostSession, isNotMade, reasonOf } from './failures.ts';
import { limitedResponse, TooLarge } from './limited-response.ts';

const KIB = 1024;
const MAX_BYTES = { result: 256 * KIB, list: 512 * KIB };
/** The protocol's own part of an answer. */
const ENVELOPE_BYTES = 16 * KIB;
const MAX_LIST_PAGES = 50;
/** Models take far fewer. */
const MAX_TOOLS = 1000;
/** A session that was forgotten is begun anew, as long as another copy of the server does not forget it again. */
const MAX_SESSIONS = 3;
const IDEMPOTENCY_KEY = 'acp/idempotency-key';
const HEADER_MISMATCH = -32_020;

interface Exchange<T> {
  maxBytes: number;
  budget?: ByteBudget | undefined;
  signal: AbortSignal | undefined;
  work: (session: Session) => Promise<T>;
}

/** MCP over Streamable HTTP to servers that tenants chose, with a new connection per exchange. */
export class McpToolServers implements ToolServers {
  readonly #fetch: Promise<typeof fetch>;

  constructor(options: GuardOptions) {
    this.#fetch = guardedFetch(options);
  }

  list(server: ToolServerAddress, signal?: AbortSignal, budget?: ByteBudget): Promise<ListedTools> {
    return this.#exchange(server, { maxBytes: MAX_BYTES.list, budget, signal, work: listAll });
  }

  call(server: ToolServerAddress, call: ServerCall, signal?: AbortSignal): Promise<JsonObject> {
    const { tool: name, args, idempotency_key } = call;
    const meta = idempotency_key !== undefined && { _meta: { [IDEMPOTENCY_KEY]: idempotency_key } };
    const params = { name, arguments: args, ...meta };
    const work = async (session: Session) => {
      const result = storable(await callTool(session, params)) as JsonObject;
      if (sizeOf(result) > MAX_BYTES.result) throw new TooLarge(ITS_ANSWER, MAX_BYTES.result);
      return result;
    };
    return this.#exchange(server, { maxBytes: MAX_BYTES.result, signal, work });
  }

  async #exchange<T>(server: ToolServerAddress, exchange: Exchange<T>): Promise<T> {
    const late = signalAfter(server.timeoutMs);
    const { signal: caller } = exchange;
    const signal = AbortSignal.any([late, ...(caller ? [caller] : [])]);
    for (let sessions = 1; ; sessions++) {
      const session = await this.#open(server, signal, exchange);
      try {
        return await session.run(exchange.work);
      } catch (error) {
        if (isLostSession(error, session.id) && sessions < MAX_SESSIONS) continue;
        const { isConnected } = session;
        const isSent = isConnected ? 'unknown' : 'no';
        if (late.aborted)
          throw new ToolServerError(`It did not answer within ${server.timeoutMs / 1000} s`, isSent);
        if (caller?.aborted) throw new ToolServerError('The call was broken off', isSent);
        const reason = session.failure ?? error;
        if (isConnected && isAnswer(reason)) throw new ToolServerError(reasonOf(reason), 'yes');
        throw new ToolServerError(reasonOf(reason), isNotMade(reason) ? 'no' : isSent);
      } finally {
        await session.close();
      }
    }
  }

  async #open(
    { url, headers, timeoutMs }: ToolServerAddress,
    caller: AbortSignal,
    { maxBytes, budget }: Pick<SessionOptions, 'maxBytes' | 'budget'>,
  ) {
    const library = await import('@modelcontextprotocol/client');
    return new Session(library, await this.#fetch, { url, headers, timeoutMs, caller, maxBytes, budget });
  }
}

interface SessionOptions extends Pick<ToolServerAddress, 'url' | 'headers' | 'timeoutMs'> {
  caller: AbortSignal;
  /** For one answer. */
  maxBytes: number;
  budget?: ByteBudget | undefined;
}

/** One connection, and where the server has sessions one of those. */
class Session {
  isConnected = false;
  /** The first one of the network, which the library hides. */
  failure: unknown;
  /** Bytes of all answers. */
  received = 0;
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;
  readonly #transport;
  readonly #client: Client;
  #result: unknown;

  constructor(
    { Client, StreamableHTTPClientTransport }: typeof Library,
    send: typeof fetch,
    { url, headers, timeoutMs, caller, ...limits }: SessionOptions,
  ) {
    this.#signal = AbortSignal.any([caller, this.#ended.signal]);
    this.#timeoutMs = timeoutMs;
    this.#transport = new StreamableHTTPClientTransport(url, {
      fetch: (input, init) => this.#send(send, limits, input, init),
      requestInit: { headers: { ...headers } },
      // The guarded fetch follows no redirect.
      redirectPolicy: 'follow',
      reconnectionOptions: NO_RECONNECTION,
    });
    // Called before the library's own, which it chains.
    Object.assign(this.#transport, { onmessage: (message: JSONRPCMessage) => this.#keepResult(message) });
    this.#client = new Client(
      { name: 'agent-control-plane', version: VERSION },
      { capabilities: {}, versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: ACCEPTS_ALL },
    );
  }

  get id(): string | undefined {
    return this.#transport.sessionId;
  }

  async run<T>(work: Exchange<T>['work']): Promise<T> {
    await this.#client.connect(this.#transport, this.#options);
    this.isConnected = true;
    const result = await work(this);
    await this.#transport.terminateSession().catch(() => {});
    return result;
  }

  get hasTools(): boolean {
    return this.#client.getServerCapabilities()?.tools !== undefined;
  }

  /** @returns the result as the server sent it */
  async ask(send: (client: Client, options: RequestOptions) => Promise<unknown>): Promise<JsonObject> {
    this.#result = undefined;
    await send(this.#client, this.#options);
    if (!isJsonObject(this.#result)) throw new Error('The result is no object');
    return this.#result;
  }

  get #options(): RequestOptions {
    return { signal: this.#signal, timeout: this.#timeoutMs };
  }

  /** The library refuses a list for one tool that it does not know, and a result for one kind of content. */
  #keepResult(message: JSONRPCMessage): void {
    const { result } = message as { result?: unknown };
    if (!this.isConnected || !isJsonObject(result) || result.resultType === 'input_required') return;
    this.#result = result;
    Object.assign(message, { result: EMPTY_RESULT });
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#client.close().catch(() => {});
  }

  async #send(
    send: typeof fetch,
    { maxBytes, budget }: Pick<SessionOptions, 'maxBytes' | 'budget'>,
    input: string | URL,
    init?: RequestInit,
  ) {
    const signal = init?.signal ? AbortSignal.any([this.#signal, init.signal]) : this.#signal;
    try {
      const response = await send(input, { ...init, signal });
      let left = maxBytes + ENVELOPE_BYTES;
      return limitedResponse(response, (bytes) => {
        left -= bytes;
        this.received += bytes;
        const isOver = budget?.isOverWith(bytes) ?? false;
        if (left >= 0 && !isOver) return undefined;
        const error =
          left < 0 ? new TooLarge(ITS_ANSWER, maxBytes) : new TooLarge(ALL_LISTS, budget?.most ?? 0);
        this.failure ??= error;
        this.#ended.abort(error);
        return error;
      });
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

const ITS_ANSWER = 'Its answer is';
const ALL_LISTS = 'The lists of all servers together are';

/** A valid result of each request that is made here, in every revision. */
const EMPTY_RESULT = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [], content: [] };

async function listAll(session: Session): Promise<ListedTools> {
  if (!session.hasTools) return { tools: [], isWhole: true };
  const tools: unknown[] = [];
  let bytes = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_LIST_PAGES; pages++) {
    const params = cursor === undefined ? undefined : { params: { cursor } };
    const page = await session.ask((client, options) =>
      client.request({ method: 'tools/list', ...params }, options),
    );
    if (!Array.isArray(page.tools)) throw new Error('The list has no tools');
    bytes += sizeOf(page.tools);
    if (pages > 0 && bytes > MAX_BYTES.list) break;
    tools.push(...(page.tools as unknown[]));
    if (tools.length > MAX_TOOLS) return { tools: tools.slice(0, MAX_TOOLS), isWhole: false };
    if (typeof page.nextCursor !== 'string' || page.nextCursor === cursor) return { tools, isWhole: true };
    // Pages may weigh more than the tools on them.
    if (session.received > 2 * MAX_BYTES.list) break;
    cursor = page.nextCursor;
  }
  return { tools, isWhole: false };
}

/** A server that misses the headers that its tool asks for is told them. */
async function callTool(
  session: Session,
  params: { name: string; arguments: JsonObject },
): Promise<JsonObject> {
  try {
    return await session.ask((client, options) => client.request({ method: 'tools/call', params }, options));
  } catch (error) {
    if ((error as { code?: unknown }).code !== HEADER_MISMATCH) throw error;
    const { tools } = await listAll(session);
    const tool = tools.find((one) => isJsonObject(one) && one.name === params.name);
    if (!isJsonObject(tool) || !isJsonObject(tool.inputSchema)) throw error;
    const toolDefinition = {
      name: params.name,
      inputSchema: { ...tool.inputSchema, type: 'object' as const },
    };
    return session.ask((client, options) => client.callTool(params, { ...options, toolDefinition }));
  }
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

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
