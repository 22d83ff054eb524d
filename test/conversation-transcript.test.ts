import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { refusal } from '../server/test/support/send-api.ts';
import { Channel, deployAgent } from './channel.ts';
import { call } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const SENDER = '4915112345678';
const SOON = { timeout: 180_000, interval: 100 };
const SPOKEN = 'Which pier did I say?';

interface Turn {
  role: string;
  content: string;
}

const requests: Turn[][] = [];
const transcript: string[] = [];
const channel = new Channel();
let server: ServerProcess;
let credentials: Credentials;
let agent: Awaited<ReturnType<typeof deployAgent>>;
let conversation: string;

/** Remembers only the messages of a request. Also a transcription endpoint. */
const model = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await textOf(request);
  response.setHeader('content-type', 'application/json');
  // The service lists models at its start.
  if (request.method === 'GET') return void response.end('{}');
  if (request.url?.endsWith('/audio/transcriptions')) {
    response.end(JSON.stringify({ text: SPOKEN }));
    return;
  }
  const turns = (JSON.parse(body) as { messages: Turn[] }).messages.filter(({ role }) => role !== 'system');
  requests.push(turns);
  const message = { role: 'assistant', content: answerTo(turns), refusal: null };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }];
  response.end(
    JSON.stringify({ id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices, usage }),
  );
}

function answerTo(turns: Turn[]): string {
  const last = turns.at(-1)?.content ?? '';
  const pier = turns.map(({ content }) => /I am at pier (\d)/.exec(content)?.[1]).find(Boolean);
  if (/which pier/i.test(last)) return pier ? `You said pier **${pier}**.` : 'You have not told me.';
  return `I read ${last.split('\n').length} line(s).`;
}

beforeAll(async () => {
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  const base_url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  await channel.start();
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    CHATAPP_API_BASE_URL: channel.send_url,
    LLM_BASE_URL: base_url,
    LLM_MODEL: 'm',
    LLM_API_KEY: 'key',
    TRANSCRIPTION_BASE_URL: base_url,
    TRANSCRIPTION_API_KEY: 'key',
    TRANSCRIPTION_MODEL: 'm',
  });
  channel.base_url = credentials.base_url;
  agent = await deployAgent(credentials, channel, {
    system_prompt: 'You are the crew desk.',
    channel_config: { greeting: 'Hello, this is the crew desk.', burst_seconds: 1 },
  });
});
afterAll(async () => {
  process.stdout.write(`${transcript.join('\n')}\n`);
  await channel.close();
  await server.remove();
  model.close();
  model.closeAllConnections();
});

async function say(text: string): Promise<void> {
  transcript.push(`  Ana: ${text}`);
  await channel.write(SENDER, text);
}

let receivedCount = 0;

async function expectTexts(...expected: string[]): Promise<void> {
  await vi.waitFor(() => expect(texts().slice(receivedCount)).toEqual(expected), SOON);
  receivedCount += expected.length;
  transcript.push(...expected.map((text) => `  Desk: ${text}`));
}
const texts = () =>
  channel.sendApi.sent.flatMap(({ body }) => (body.type === 'text' && body.text ? [body.text.body] : []));

const note = (text: string) => transcript.push(`[${text}]`);

const path = () => `/v1/conversations/${conversation}`;
const messages = async () =>
  (await call<{ items: Record<string, unknown>[] }>(credentials, 'GET', `${path()}/messages?per_page=100`))
    .items;

const orGone = (error: NodeJS.ErrnoException): Buffer => {
  if (error.code !== 'ENOENT') throw error;
  return Buffer.alloc(0);
};

/** @returns the rows whose sealed content stands in the tables' files */
async function findInTables(rows: readonly { sealed_content: Buffer }[]) {
  const base = join(server.dataDir, 'postgres/base');
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // The database is running: it may remove a file meanwhile, such as one that it keeps for new connections.
  const contents = await Promise.all(files.map((file) => readFile(file).catch(orGone)));
  return rows.filter(({ sealed_content }) => contents.some((content) => content.includes(sealed_content)));
}

it('greets first, and answers', async () => {
  await say('Hi, I am at pier 4');
  await expectTexts('Hello, this is the crew desk.', 'I read 1 line(s).');
  const { items } = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/conversations');
  conversation = items[0]?.id ?? '';
});

it('remembers earlier messages', async () => {
  await say('Which pier was that?');
  await expectTexts('You said pier *4*.');
});

it('answers a burst of four messages once', async () => {
  const before = requests.length;
  const burst = ['I need', 'two more', 'people', 'tomorrow'];
  transcript.push(...burst.map((text) => `  Ana: ${text}`));
  await channel.writeAll(SENDER, burst);
  await expectTexts('I read 4 line(s).');
  expect(requests).toHaveLength(before + 1);
});

it('understands a voice note', async () => {
  channel.keepMedia('media-1', Buffer.from('OggS and what follows'), 'audio/ogg; codecs=opus');
  transcript.push(`  Ana: (voice note) ${SPOKEN}`);
  await channel.writeAs(SENDER, {
    type: 'audio',
    audio: { id: 'media-1', mime_type: 'audio/ogg; codecs=opus', voice: true },
  });
  await expectTexts('You said pier *4*.');
});

it('lets a person take over and give back', async () => {
  await call(credentials, 'PATCH', path(), { mode: 'human' });
  note('Ben takes the conversation over');
  const before = requests.length;
  await say('Is there somebody real?');
  await vi.waitFor(async () => expect((await messages()).at(-1)).toMatchObject({ status: 'pending' }), SOON);
  await call(credentials, 'POST', `${path()}/messages`, { text: 'Ben here. I send two people to pier 4.' });
  await expectTexts('Ben here. I send two people to pier 4.');
  await say('Thank you!');
  await say('When do they come?');
  await vi.waitFor(async () => expect((await messages()).at(-1)).toMatchObject({ status: 'pending' }), SOON);
  expect(requests).toHaveLength(before);
  await call(credentials, 'PATCH', path(), { mode: 'agent' });
  note('Ben gives it back to the agent');
  await expectTexts('I read 2 line(s).');
  expect(
    requests
      .at(-1)
      ?.map(({ content }) => content)
      .join('\n'),
  ).toContain('Ben here.');
});

it('keeps answers while the channel refuses the token, and sends them with a new one', async () => {
  const usual = channel.sendApi.mood;
  channel.sendApi.mood = refusal(401, 190, 'Error validating access token: Session has expired');
  note('the access token expires');
  await say('Still there?');
  const connection = `/v1/customers/${agent.customer_id}/connections`;
  await vi.waitFor(async () => {
    const { items } = await call<{ items: object[] }>(credentials, 'GET', connection);
    expect(items[0]).toMatchObject({ status: 'expired', last_error: expect.stringContaining('190') });
  }, SOON);
  await say('Hello?');
  await vi.waitFor(async () => {
    const waiting = (await messages()).filter(({ status }) => status === 'queued');
    expect(waiting).toHaveLength(2);
    expect(waiting[0]).toMatchObject({ error: expect.stringMatching(/190|refused/) });
  }, SOON);
  channel.sendApi.mood = usual;
  await call(credentials, 'PATCH', `${connection}/${agent.connection_id}`, {
    credentials: { access_token: 'the new token' },
  });
  note('an admin sets a new token');
  await expectTexts('I read 1 line(s).', 'I read 1 line(s).');
  expect(channel.sendApi.sent.at(-1)?.token).toBe('the new token');
});

it('erases the conversation', async () => {
  const kept = await vi.waitFor(async () => {
    const all = await messages();
    expect(all.filter(({ status }) => status !== 'handled' && status !== 'delivered')).toEqual([]);
    return all;
  }, SOON);
  const database = new pg.Client({ connectionString: await server.databaseUrl() });
  await database.connect();
  const { rows } = await database.query<{ sealed_content: Buffer }>(
    'select sealed_content from channel_messages where sealed_content is not null',
  );
  await database.query('checkpoint');
  expect(await findInTables(rows)).toHaveLength(rows.length);
  await call(credentials, 'DELETE', path());
  // Rows stay while a transaction runs that began before they were deleted.
  await vi.waitFor(async () => {
    await database.query('vacuum full channel_messages');
    await database.query('checkpoint');
    expect(await findInTables(rows)).toEqual([]);
  }, SOON);
  await database.end();
  note(`the conversation of ${kept.length} messages is erased`);
  await expect(messages()).rejects.toThrow('404');
});

it('starts afresh afterwards', async () => {
  await say('Which pier was that?');
  await expectTexts('Hello, this is the crew desk.', 'You have not told me.');
});
