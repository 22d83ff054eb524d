import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: Record<string, unknown>;
    [field: string]: unknown;
  };
}

type Respond = (response: ServerResponse, request: ChatRequest) => void;

/** Chat completions in OpenAI's wire format, with faults on request. */
export class FakeLanguageModel {
  readonly requests: ChatRequest[] = [];
  respond: Respond = (response) => response.writeHead(500).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const { url, headers } = request;
        const seen = { path: url, headers, body: JSON.parse(text || '{}') as ChatRequest['body'] };
        this.requests.push(seen);
        this.respond(response, seen);
      });
    });
  }

  static async start(): Promise<FakeLanguageModel> {
    const fake = new FakeLanguageModel();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get base_url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  says(content: unknown): void {
    this.respond = (response) => sendCompletion(response, content);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function sendCompletion(response: ServerResponse, content: unknown, usage?: object): void {
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    ...(usage && { usage }),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
}

export const usageOf = (prompt_tokens: number, completion_tokens: number, cached_tokens = 0) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  prompt_tokens_details: { cached_tokens },
});

export function sendChunk(response: ServerResponse, content: string): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

export function endChunks(response: ServerResponse, usage?: object): void {
  const last = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  response.write(`data: ${JSON.stringify(last)}\n\n`);
  if (usage) response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}
