import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../ports.ts';

const THINKS_MS = 200;
const INPUT_TOKENS = 12;
/** Each answer has a number of tokens of its own, so that its row can be told from others. */
const FIRST_OUTPUT_TOKENS = 1000;

/** An answer that the provider made, and has a bill for. */
export interface Billed {
  output_tokens: number;
  input_tokens: number;
  at: number;
}

/** A provider of language models: it answers each text with "answer to" it, and keeps the bill. */
export class Model {
  readonly bill: Billed[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** @returns its base URL */
  async start(): Promise<string> {
    return `${await listenOnLoopback(this.#server)}/v1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.end('{"data":[]}');
      return;
    }
    const body = (await json(request).catch(() => ({}))) as { messages?: { content: string }[] };
    await sleep(Math.random() * THINKS_MS);
    const output_tokens = FIRST_OUTPUT_TOKENS + this.bill.length;
    this.bill.push({ output_tokens, input_tokens: INPUT_TOKENS, at: Date.now() });
    const content = `answer to ${body.messages?.at(-1)?.content}`;
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
    const usage = {
      prompt_tokens: INPUT_TOKENS,
      completion_tokens: output_tokens,
      total_tokens: INPUT_TOKENS + output_tokens,
    };
    const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'fake', choices, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
  }
}
