import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

interface Chat {
  messages: { role: string; content: string | null }[];
  tools?: { function: { name: string } }[];
}
type ModelAnswer = string | { name: string; args: object };

const ANSWERS: readonly [RegExp, ModelAnswer][] = [
  [/drives? a forklift/, { name: 'who_can', args: { skills: ['forklift'] } }],
  [/worked 8 hours/, { name: 'log_hours', args: { hours: 8 } }],
  [/a boiler looked at/, 'Gladly. Your name, and two times that suit you?'],
  [
    /Monday or Tuesday/,
    { name: 'talk_to_a_person', args: { reason: 'Ana: boiler, Monday or Tuesday at 9' } },
  ],
  [/[Ww]here is order 1042/, { name: 'orders__find_order', args: { text: '1042' } }],
  [/[Cc]ancel it/, { name: 'orders__cancel_order', args: { text: '1042' } }],
  [/^A person has to approve/, 'A colleague has to approve that. I tell you as soon as it is done.'],
  [
    /^\[The call of orders__cancel_order .* is approved\..*cancelled/s,
    'It is approved: order 1042 is cancelled.',
  ],
  [/overtime/, { name: 'read_file', args: { name: 'overtime' } }],
  [/the wages/, { name: 'read_file', args: { name: 'wages' } }],
  [/document "today"/, { name: 'read_file', args: { name: 'today' } }],
  [/^Good morning/, 'Good morning, Ana.'],
];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await textOf(request);
  response.setHeader('content-type', 'application/json');
  // The service lists models at its start.
  if (request.method === 'GET') return void response.end('{}');
  const message = messageOf(JSON.parse(body) as Chat);
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }];
  response.end(
    JSON.stringify({ id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices, usage }),
  );
}

function messageOf({ messages, tools = [] }: Chat): object {
  const { role, content } = messages.at(-1) ?? { role: '', content: '' };
  const isWaiting = content?.startsWith('A person has to approve') === true;
  const modelAnswer =
    role === 'tool' && !isWaiting
      ? String(content)
      : (ANSWERS.find(([words]) => words.test(content ?? ''))?.[1] ?? `I cannot say: ${content}`);
  if (typeof modelAnswer === 'string') return { role: 'assistant', content: modelAnswer };
  const { name, args } = modelAnswer;
  if (!tools.some((tool) => tool.function.name === name))
    return { role: 'assistant', content: `I lack ${name}.` };
  const called = { name, arguments: JSON.stringify(args) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: called }],
  };
}

/** A scripted model in OpenAI's wire format. */
export async function startGalleryModel() {
  const model = createServer((request, response) => void answer(request, response));
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  return {
    base_url: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    stop: () => {
      model.close();
      model.closeAllConnections();
    },
  };
}
