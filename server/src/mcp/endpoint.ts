import { type Call, route } from '../platform/http/handler.ts';
import { callMcp } from './mcp.contract.ts';
import type { McpOptions, Transport } from './transport.ts';

/**
 * POST /v1/mcp. The first request loads the protocol's library and makes the tools' schemas, which hold memory that most
 * processes never need.
 */
export class McpEndpoint {
  readonly #options: McpOptions;
  #transport: Promise<Transport> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** Sends the answer itself: an error of JSON-RPC is not among an operation's declared bodies. */
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
