import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

type Answer = (params: Record<string, unknown>) => object;

/** For `instead`: answers by method, as a server would that keeps to no library's types. */
export const rawMcp =
  (answers: Readonly<Record<string, Answer>>) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const {
      id,
      method,
      params = {},
    } = (await json(request)) as {
      id: number;
      method: string;
      params?: Record<string, unknown>;
    };
    const discovered = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'raw', version: '1' },
    };
    const answer = method === 'server/discover' ? discovered : answers[method]?.(params);
    const result = { resultType: 'complete', ttlMs: 1, cacheScope: 'private', ...answer };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };

interface Refused {
  status?: number;
  error?: object;
}

/** A server of the revision 2025-06-18 with sessions. `seen` has each request with its session. */
export function legacyMcp(answers: Readonly<Record<string, () => object & Refused>>) {
  const seen: string[] = [];
  let sessions = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    const send = (status: number, answer: object, headers: object = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    if (method === 'server/discover') return void send(400, { error: { code: -32_000, message: 'No' } });
    seen.push(`${method} ${String(request.headers['mcp-session-id'] ?? '-')}`);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'legacy', version: '1' },
      };
      return void send(200, { result }, { 'mcp-session-id': `s${++sessions}` });
    }
    const { status = 200, error, ...result } = answers[method]?.() ?? {};
    send(status, error ? { error } : { result });
  };
  return { seen, serve };
}

interface SeenCall {
  name: string;
  args: Record<string, unknown>;
  authorization: string | undefined;
  headers: IncomingMessage['headers'];
  idempotency_key: unknown;
}

const TOOLS = ['echo', 'book', 'slow', 'huge', 'refuse'];

/** By tool; answers depend on the argument `text`. */
type Answers = Readonly<Record<string, (text: string) => string>>;

/** MCP over Streamable HTTP by the official library, with faults. */
export class FakeToolServer {
  readonly calls: SeenCall[] = [];
  readonly requests: IncomingMessage[] = [];
  /** MCP's hints of every tool. */
  annotations: object = {};
  /** Responds in place of MCP. */
  instead: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** The tool `slow` waits for it. */
  pause: () => Promise<unknown> = () => Promise.resolve();
  url = '';
  readonly #answers: Answers | undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(answers?: Answers) {
    this.#answers = answers;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
    return this.url;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(request);
    if (this.instead) return void this.instead(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const handler = createMcpHandler(() => this.#protocol(request));
    const answer = await handler.fetch(
      new Request(this.url, {
        method: request.method ?? 'POST',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(body !== '' && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }

  #protocol(request: IncomingMessage): Server {
    const server = new Server({ name: 'fake', version: '1' }, { capabilities: { tools: {} } });
    const tools = (this.#answers ? Object.keys(this.#answers) : TOOLS).map((name) => ({
      name,
      description: `The tool ${name}`,
      annotations: this.annotations,
      inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } } },
    }));
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const { name, arguments: args = {}, _meta: meta } = params;
      const { authorization } = request.headers;
      const idempotency_key = meta?.['acp/idempotency-key'];
      this.calls.push({ name, args, authorization, headers: request.headers, idempotency_key });
      const ownWords = this.#answers?.[name]?.(String(args.text));
      if (ownWords !== undefined) return { content: [{ type: 'text', text: ownWords }] };
      if (name === 'slow') await this.pause();
      if (name === 'refuse') return { isError: true, content: [{ type: 'text', text: 'No' }] };
      const text = name === 'huge' ? 'x'.repeat(300 * 1024) : `${name}: ${String(args.text)}`;
      return { content: [{ type: 'text', text }] };
    });
    return server;
  }
}
