import { type FakeReply, type FakeServer, type Seen, startFake } from './fake-server.ts';

interface ChatRequest {
  model: string;
  messages: { role: string; content: string | null; tool_call_id?: string }[];
  tools: { type: string; function: { name: string; parameters: unknown } }[];
  tool_choice: string;
}

interface FakeLlm extends FakeServer {
  requests: () => ChatRequest[];
}

export const completion = (message: object, finish_reason: string): FakeReply => ({
  status: 200,
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_763_676_000,
    model: 'test-model',
    choices: [
      { index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason, logprobs: null },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
});

export const says = (content: string): FakeReply => completion({ content }, 'stop');

/** The same call, several times. */
export const calls = (name: string, args: unknown, times = 1): FakeReply =>
  completion(
    {
      content: null,
      tool_calls: Array.from({ length: times }, (_, index) => ({
        id: `call_${index + 1}`,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
      })),
    },
    'tool_calls',
  );

/** `POST /chat/completions` like OpenAI. Replies in order, then repeats the last reply. */
export async function startLlm(...script: [FakeReply, ...FakeReply[]]): Promise<FakeLlm> {
  const fake = await startFake(({ method, path }) => {
    if (`${method} ${path}` !== 'POST /v1/chat/completions') return { status: 404 };
    const [next] = script;
    if (script.length > 1) script.shift();
    return next;
  });
  return {
    ...fake,
    url: `${fake.url}/v1`,
    requests: () => fake.seen.map(({ body }: Seen) => body as ChatRequest),
  };
}
