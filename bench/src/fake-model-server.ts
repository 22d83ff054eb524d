import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const THINKS_MS = 20;
const WORDS = 20;
const WORD_MS = 25;
const USAGE = { prompt_tokens: 12, completion_tokens: WORDS, total_tokens: 12 + WORDS };

const headersOf = (type: string) => ({ 'content-type': type, 'cache-control': 'no-cache' });

function answer(response: ServerResponse): void {
  const message = { role: 'assistant', content: 'word '.repeat(WORDS) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const completion = { id: 'c', object: 'chat.completion', model: 'fake', choices, usage: USAGE };
  response.writeHead(200, headersOf('application/json')).end(JSON.stringify(completion));
}

async function stream(response: ServerResponse): Promise<void> {
  const say = (part: object) => response.write(`data: ${JSON.stringify({ id: 'c', ...part })}\n\n`);
  response.writeHead(200, headersOf('text/event-stream'));
  for (let word = 0; word < WORDS && !response.destroyed; word++) {
    if (word > 0) await sleep(WORD_MS);
    say({ choices: [{ index: 0, delta: { content: 'word ' } }] });
  }
  say({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  say({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
}

createServer((request, response) => {
  const respond = async () => {
    if (request.method === 'GET') {
      response.end('{"data":[]}');
      return;
    }
    const body = (await json(request)) as { stream?: boolean };
    await sleep(THINKS_MS);
    if (body.stream) await stream(response);
    else answer(response);
  };
  respond().catch((error: Error) => response.destroy(error));
}).listen(Number(process.env.PORT), '127.0.0.1');
