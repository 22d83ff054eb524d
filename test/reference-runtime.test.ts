import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const WAIT = { timeout: 180_000, interval: 50 };
/** Below the rate limit of a key, also where a restart takes long. */
const SELDOM = { timeout: 180_000, interval: 500 };

interface Message {
  author: string;
  text: string;
  usage: object | null;
  tool_calls: object[];
}

const chats: { role: string; content: string }[][] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The service lists models at its start.
  if (request.method === 'GET') return void response.end('{}');
  const { messages } = (await json(request)) as { messages: { role: string; content: string }[] };
  chats.push(messages.filter(({ role }) => role !== 'system'));
  const message = { role: 'assistant', content: `**Answer ${chats.length}**` };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      model: 'a-model',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    }),
  );
}

let model: Server;
let server: ServerProcess;
let credentials: Credentials;
let instance_id: string;
beforeAll(async () => {
  model = createServer((request, response) => {
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    LLM_MODEL: 'a-model',
    LLM_API_KEY: 'a key',
  });
  ({ instance_id } = await deploy(credentials));
  await until(credentials, instance_id, 'running');
});
afterAll(async () => {
  await server.remove();
  model.close();
  model.closeAllConnections();
});

const messagesIn = async (conversation_id: string) =>
  (await call<{ items: Message[] }>(credentials, 'GET', `/v1/conversations/${conversation_id}/messages`))
    .items;

async function talk(text: string, answers: number, conversation_id: string | null = null) {
  const sent = await call<{ conversation_id: string }>(
    credentials,
    'POST',
    `/v1/instances/${instance_id}/playground`,
    { text, conversation_id },
  );
  const messages = await vi.waitFor(async () => {
    const all = await messagesIn(sent.conversation_id);
    expect(all.filter(({ author }) => author === 'agent')).toHaveLength(answers);
    return all;
  }, WAIT);
  return { conversation_id: sent.conversation_id, messages };
}

it('remembers a conversation, and reports the usage of an answer', async () => {
  const { conversation_id } = await talk('My name is Ana', 1);
  const { messages } = await talk('What is my name?', 2, conversation_id);
  expect(chats.at(-1)).toEqual([
    { role: 'user', content: 'My name is Ana' },
    { role: 'assistant', content: '**Answer 1**' },
    { role: 'user', content: 'What is my name?' },
  ]);
  expect(messages.at(-1)).toMatchObject({
    author: 'agent',
    text: '**Answer 2**',
    usage: { model: 'a-model', input_tokens: 10, cached_input_tokens: 0, output_tokens: 2 },
  });
});

it('answers a command without the model', async () => {
  const count = chats.length;
  const { messages } = await talk('help', 1);
  expect(messages.at(-1)).toMatchObject({ text: expect.stringContaining('I can do this') });
  expect(messages.at(-1)?.tool_calls).toMatchObject([{ name: 'help', arguments: '{}' }]);
  expect(chats).toHaveLength(count);
});

it('hands over to a person, and knows the conversation afterwards', async () => {
  const { conversation_id } = await talk('talk to a human', 1);
  const read = () => call(credentials, 'GET', `/v1/conversations/${conversation_id}`);
  await vi.waitFor(async () => expect(await read()).toMatchObject({ mode: 'human', unanswered: 1 }), WAIT);
  await call(credentials, 'POST', `/v1/conversations/${conversation_id}/messages`, { text: 'Here I am.' });
  await call(credentials, 'PATCH', `/v1/conversations/${conversation_id}`, { mode: 'agent' });
  await talk('And who are you?', 2, conversation_id);
  expect(chats.at(-1)).toEqual([
    { role: 'user', content: 'talk to a human' },
    {
      role: 'assistant',
      content:
        'I am passing this on to a person, who will answer you here.\n\n[A colleague wrote] Here I am.',
    },
    { role: 'user', content: 'And who are you?' },
  ]);
});

it('answers each message once that comes before and during a restart', async () => {
  const write = async (text: string) =>
    (
      await call<{ conversation_id: string }>(
        credentials,
        'POST',
        `/v1/instances/${instance_id}/playground`,
        { text },
      )
    ).conversation_id;
  const [before] = server.runtimes();
  const conversations = [await write('before the restart')];
  const { task_id } = await call<{ task_id: string }>(
    credentials,
    'POST',
    `/v1/instances/${instance_id}/restart`,
  );
  await vi.waitFor(async () => {
    conversations.push(await write('during the restart'));
    expect(await call(credentials, 'GET', `/v1/tasks/${task_id}`)).toMatchObject({ status: 'succeeded' });
  }, SELDOM);
  expect(server.runtimes()).toEqual([expect.not.objectContaining({ pid: before?.pid })]);
  for (const id of conversations)
    await vi.waitFor(async () => expect(await messagesIn(id)).toHaveLength(2), WAIT);
  for (const id of conversations)
    await vi.waitFor(async () => {
      const authors = (await messagesIn(id)).map(({ author }) => author);
      expect(authors).toEqual(['sender', 'agent']);
    }, SELDOM);
});
