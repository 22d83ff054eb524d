import OpenAI from 'openai';
import type { LlmConfig } from './config.ts';

/** Many times what any answer in a chat has. */
const maxAnswerBytes = 1024 * 1024;

/** One question to the model; rejects when it is not answered as a whole in time. */
export type Complete = (
  question: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>,
) => Promise<OpenAI.ChatCompletion>;

/** Chat completions at any OpenAI-compatible endpoint, each within `timeoutMs`, a second try included. */
export function createComplete({ baseUrl, apiKey, model }: LlmConfig, timeoutMs: number): Complete {
  const client = new OpenAI({
    baseURL: baseUrl,
    // The client insists on a key; local endpoints need none.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 1,
    logLevel: 'off',
    fetch: async (...request) => bounded(await fetch(...request), timeoutMs),
  });

  return (question) => {
    // The client's own time ends with the headers, and Node's fetch may settle for no signal once a body has begun.
    const signal = AbortSignal.timeout(timeoutMs);
    return Promise.race([
      client.chat.completions.create({ ...question, model }, { signal }),
      rejectionBy(signal),
    ]);
  };
}

/** Breaks off an answer without end, and has the client wait for a second try no longer than there is time. */
function bounded(response: Response, timeoutMs: number): Response {
  const headers = new Headers(response.headers);
  if (Number(headers.get('retry-after')) * 1000 > timeoutMs) headers.set('x-should-retry', 'false');
  let left = maxAnswerBytes;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The answer is too large'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText } = response;
  return new Response(response.body?.pipeThrough(bound), { status, statusText, headers });
}

const rejectionBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
