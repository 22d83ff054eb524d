import type { JsonObject } from '../platform/json/json-object.ts';

/** As the server sent them. */
export interface ListedTools {
  tools: readonly unknown[];
  /** False where it has more than are read. */
  isWhole: boolean;
}

export interface ToolServerAddress {
  url: URL;
  /** With the credential. */
  headers: Readonly<Record<string, string>>;
  /** For all requests of a list or call together. */
  timeoutMs: number;
}

/** An MCP result. */
export type ToolResult = { content: JsonObject[]; isError?: boolean } & JsonObject;

/** The message is shown to the tenant, so it does not quote the server's response. */
export class ToolServerError extends Error {
  override readonly name = 'ToolServerError';
  /**
   * `yes`: the server works, but refused this call, or its result is too large. `unknown`: the call was sent, and no answer
   * came, also where this service broke it off.
   */
  readonly isMade: 'yes' | 'no' | 'unknown';

  constructor(message: string, isMade: 'yes' | 'no' | 'unknown' = 'no') {
    super(message);
    this.isMade = isMade;
  }
}

export interface ServerCall {
  tool: string;
  args: JsonObject;
  /** The same for each repeat of a call, as `_meta["acp/idempotency-key"]`. */
  idempotency_key?: string | undefined;
}

/** Bytes that several exchanges may receive together. */
export class ByteBudget {
  readonly most: number;
  #received = 0;

  constructor(most: number) {
    this.most = most;
  }

  isOverWith(bytes: number): boolean {
    this.#received += bytes;
    return this.#received > this.most;
  }
}

/** Tool servers over MCP. Both methods reject with a ToolServerError. */
export interface ToolServers {
  list(server: ToolServerAddress, signal?: AbortSignal, budget?: ByteBudget): Promise<ListedTools>;
  /** The result as the server sent it, at most 256 KiB as JSON. */
  call(server: ToolServerAddress, call: ServerCall, signal?: AbortSignal): Promise<JsonObject>;
}
