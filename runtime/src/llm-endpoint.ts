import OpenAI from 'openai';
import type { LlmConfig } from './config.ts';
import type { InboundMessage } from './inbound-message.ts';
import { signalAfter } from './signal-after.ts';

/** Far more than a chat answer has. */
export const maxAnswerBytes = 1024 * 1024;

/** Rejects unless the whole response arrives in time. */
export type Complete = (
  question: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>,
  message: InboundMessage,
) => Promise<OpenAI.ChatCompletion>;

/** Chat completions at an OpenAI-compatible endpoint. `timeoutMs` includes the second attempt. */
export function createComplete(
  { baseUrl, apiKey, model, isGateway }: LlmConfig,
  timeoutMs: number,
  send: typeof fetch = fetch,
): Complete {
  const client = new OpenAI({
    baseURL: baseUrl,
    // The client requires a key; local endpoints need none.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 1,
    logLevel: 'off',
    fetch: async (...request) => bounded(await send(...request), timeoutMs),
  });

  return (question, message) => {
    // The client's timeout ends with the headers, and Node's fetch may ignore the signal while it reads the body.
    const signal = signalAfter(timeoutMs);
    return Promise.race([
      client.chat.completions.create(
        { ...question, model },
        { signal, headers: isGateway ? gatewayHeaders(message) : {} },
      ),
      rejectionBy(signal),
    ]);
  };
}

/** Only for the control plane's gateway: no other endpoint may see a sender token. */
const gatewayHeaders = ({ conversation_id, sender_token }: InboundMessage) => ({
  'x-conversation-id': conversation_id,
  ...(sender_token !== undefined && { 'x-sender-token': sender_token }),
});

/** Also prevents a second attempt after a Retry-After beyond the timeout. */
function bounded(response: Response, timeoutMs: number): Response {
  const headers = new Headers(response.headers);
  if (Number(headers.get('retry-after')) * 1000 > timeoutMs) headers.set('x-should-retry', 'false');
  let left = maxAnswerBytes;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The response is too large'));
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
