import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { listenOnLoopback } from '../ports.ts';

const capabilities = { tools: {} };
const jsonSchemaValidator = new AjvJsonSchemaValidator();
const TAKES_MS = 100;
const inputSchema = { type: 'object' as const, properties: { key: { type: 'string' } } };
/** Neither says that it is read-only or idempotent, so each changes something at each call. */
const TOOLS = ['pay', 'transfer'].map((name) => ({ name, description: name, inputSchema }));

/** A tool server that writes down what it was asked to do: `pay`, and `transfer`, which a person has to approve. */
export class ToolServer {
  readonly calls: { name: string; key: string }[] = [];
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: Error) => response.destroy(error));
  });
  readonly #handler = createMcpHandler(() => this.#protocol());

  /** @returns its address */
  async start(): Promise<string> {
    return `${await listenOnLoopback(this.#server)}/mcp`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The arguments of a tool's calls. */
  keysOf(tool: string): string[] {
    return this.calls.filter(({ name }) => name === tool).map(({ key }) => key);
  }

  #protocol(): Server {
    const server = new Server({ name: 'ledger', version: '1' }, { capabilities, jsonSchemaValidator });
    server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
      this.calls.push({ name, key: String(args.key) });
      await sleep(Math.random() * TAKES_MS);
      return { content: [{ type: 'text', text: `${name} done` }] };
    });
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const parsedBody = request.method === 'POST' ? await json(request) : undefined;
    const asked = new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers });
    const answer = await this.#handler.fetch(asked, { parsedBody });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }
}
