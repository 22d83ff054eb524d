import type { JsonObject } from '../platform/json/json-object.ts';

export interface OfferedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonObject;
  annotations?: JsonObject | undefined;
}

export interface ToolServerAddress {
  url: URL;
  /** With the credential. */
  headers: Readonly<Record<string, string>>;
  /** For all requests of a list or call together. */
  timeoutMs: number;
}

/** An MCP result, at most 256 KiB as JSON. */
export type ToolResult = { content: JsonObject[]; isError?: boolean } & JsonObject;

/** The message is shown to the tenant, so it does not quote the server's response. */
export class ToolServerError extends Error {
  override readonly name = 'ToolServerError';
  /** The server works: it refused this call, or its result is too large. */
  readonly isOfCall: boolean;

  constructor(message: string, isOfCall = false) {
    super(message);
    this.isOfCall = isOfCall;
  }
}

/** Tool servers over MCP. Both methods reject with a ToolServerError. */
export interface ToolServers {
  list(server: ToolServerAddress, signal?: AbortSignal): Promise<OfferedTool[]>;
  call(server: ToolServerAddress, tool: string, args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
}
