import { type Call, route } from '../platform/http/handler.ts';
import { callMcp } from './mcp.contract.ts';
import type { McpOptions, Transport } from './transport.ts';

/**
 * POST /v1/mcp. The library and the tools' schemas load at the first request, because most processes never need that
 * memory.
 */
export class McpEndpoint {
  readonly #options: McpOptions;
  #transport: Promise<Transport> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** Sends the response itself, because JSON-RPC errors are not declared bodies of the operation. */
  async answer({ reply, ...call }: Call<typeof callMcp>): Promise<undefined> {
    this.#transport ??= import('./transport.ts').then(({ makeTransport }) => makeTransport(this.#options));
    const respond = await this.#transport;
    const response = await respond({ ...call, reply });
    const text = await response.text();
    if (text !== '') reply.type('application/json');
    await reply.code(response.status).send(text === '' ? undefined : text);
    return undefined;
  }
}

export const mcpRoutes = [route(callMcp, (call, { mcp }: { mcp: McpEndpoint }) => mcp.answer(call))];
