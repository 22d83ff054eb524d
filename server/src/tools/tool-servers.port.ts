import type { JsonObject } from '../platform/json/json-object.ts';

/** A tool as its server describes it. */
export interface OfferedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonObject;
  annotations?: JsonObject | undefined;
}

export interface ToolServerAddress {
  url: URL;
  /** The headers with the credential. */
  headers: Readonly<Record<string, string>>;
  /** For a whole exchange with the server. */
  timeoutMs: number;
}

/** A result of MCP, at most 256 KiB as JSON. */
export type ToolResult = { content: JsonObject[]; isError?: boolean } & JsonObject;

/** The reason why a server cannot be used, in words for the people of the tenant and without its answer. */
export class ToolServerError extends Error {
  override readonly name = 'ToolServerError';
  /** The server is well: it refused this call, or said too much. */
  readonly isOfCall: boolean;

  constructor(message: string, isOfCall = false) {
    super(message);
    this.isOfCall = isOfCall;
  }
}

/** Servers of tools that speak MCP. Both reject with a ToolServerError. */
export interface ToolServers {
  list(server: ToolServerAddress, signal?: AbortSignal): Promise<OfferedTool[]>;
  call(server: ToolServerAddress, tool: string, args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
}
