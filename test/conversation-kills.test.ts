import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { Channel, deployAgent } from './channel.ts';
import { call } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

/** For a long run: LEDGER_MESSAGES=2000 LEDGER_CONVERSATIONS=50 LEDGER_PAUSE_MS=3000. */
const MESSAGES = Number(process.env.LEDGER_MESSAGES ?? 160);
const CONVERSATIONS = Number(process.env.LEDGER_CONVERSATIONS ?? 8);
/** The longest pause before a message. */
const PAUSE_MS = Number(process.env.LEDGER_PAUSE_MS ?? 300);
const MIN_KILLS = 2;
/** A person answers in one of this many conversations. */
const WITH_A_PERSON = 4;
const RUNTIME = join(import.meta.dirname, 'accounting-runtime.mjs');

const channel = new Channel();
let server: ServerProcess;
let credentials: Credentials;
let environment: Record<string, string>;
let kills = 0;

interface Message {
  id: string;
  direction: string;
  kind: string;
  text: string;
  status: string;
}

beforeAll(async () => {
  await channel.start();
  server = await ServerProcess.inNewDirectory();
  environment = {
    // Runtimes know these addresses, so the server must keep them.
    PORT: String(await freePort()),
    MTLS_PORT: String(await freePort()),
    RUNTIME_COMMAND: `${process.execPath} ${RUNTIME}`,
    CHATAPP_API_BASE_URL: channel.send_url,
  };
  credentials = await server.start(environment);
  channel.base_url = credentials.base_url;
});
afterAll(async () => {
  await channel.close();
  await server.remove();
});

/** Retries until the service is up. */
async function callUntilUp<T>(method: string, path: string, json?: unknown): Promise<T> {
  for (;;) {
    const result = await call<T>(credentials, method, path, json).catch((error: unknown) => {
      if (error instanceof Error && / [1234]\d\d /.test(error.message)) throw error;
      return undefined;
    });
    if (result !== undefined) return result;
    await sleep(50);
  }
}

const senders = Array.from({ length: CONVERSATIONS }, (_, index) => `4915${String(100_000_000 + index)}`);
const perSender = Math.ceil(MESSAGES / CONVERSATIONS);

async function conversationOf(sender: string): Promise<string> {
  for (;;) {
    const path = `/v1/conversations?per_page=100`;
    const { items } = await callUntilUp<{ items: { id: string; external_id: string }[] }>('GET', path);
    const found = items.find(({ external_id }) => external_id === sender);
    if (found) return found.id;
    await sleep(50);
  }
}

async function converse(sender: string, hasPerson: boolean): Promise<string[]> {
  const accepted: string[] = [];
  let conversation_id = '';
  for (let number = 1; number <= perSender; number++) {
    await sleep(randomInt(PAUSE_MS));
    await channel.write(sender, `message ${number}`);
    if (!hasPerson) continue;
    conversation_id ||= await conversationOf(sender);
    if (number === 1) await callUntilUp('PATCH', `/v1/conversations/${conversation_id}`, { mode: 'human' });
    const body = { text: `person ${number}`, idempotency_key: `answer ${number}` };
    accepted.push(
      (await callUntilUp<Message>('POST', `/v1/conversations/${conversation_id}/messages`, body)).id,
    );
  }
  return accepted;
}

async function killAtRandom(isOver: () => boolean): Promise<void> {
  while (!isOver() || kills < MIN_KILLS) {
    await sleep(randomInt(500, 5000));
    await server.end('SIGKILL');
    kills += 1;
    credentials = await server.start(environment);
    const texts = channel.sendApi.sent.length;
    if (process.env.LEDGER_MESSAGES) process.stderr.write(`kill ${kills}, ${texts} texts were sent\n`);
  }
}

async function allMessages(conversation_id: string): Promise<Message[]> {
  type Page = { items: Message[]; next_before: string | null };
  let messages: Message[] = [];
  let before: string | null = null;
  do {
    const path: string = `/v1/conversations/${conversation_id}/messages?per_page=100${before ? `&before=${before}` : ''}`;
    const page: Page = await callUntilUp<Page>('GET', path);
    messages = [...page.items, ...messages];
    before = page.next_before;
  } while (before);
  return messages;
}

it('loses, doubles and reorders no message when it is killed repeatedly', async () => {
  const { instance_id } = await deployAgent(credentials, channel, {
    channel_config: { burst_seconds: 0 },
  });
  let isOver = false;
  const conversations = Promise.all(
    senders.map((sender, index) => converse(sender, index % WITH_A_PERSON === 1)),
  );
  const killing = killAtRandom(() => isOver);
  const byPeople = (await conversations.finally(() => (isOver = true))).flat();
  await killing;

  const expectedIn = Array.from({ length: perSender }, (_, index) => `message ${index + 1}`);
  const stored = new Map<string, Message[]>();
  for (const sender of senders) {
    const id = await conversationOf(sender);
    const messages = await vi.waitFor(
      async () => {
        const all = await allMessages(id);
        expect(all.filter(({ status }) => status === 'pending' || status === 'queued')).toEqual([]);
        // The agent may have answered before the takeover.
        expect(all.length).toBeGreaterThanOrEqual(2 * perSender);
        return all;
      },
      { timeout: 240_000, interval: 500 },
    );
    stored.set(sender, messages);
    expect(messages.filter(({ direction }) => direction === 'in').map(({ text }) => text)).toEqual(
      expectedIn,
    );
  }

  const file = join(server.dataDir, 'runtimes', instance_id, 'accepted');
  const byRuntime = (await readFile(file, 'utf8')).trim().split('\n');
  const outgoing = [...stored.values()].flat().filter(({ direction }) => direction === 'out');
  const known = new Set(outgoing.map(({ id }) => id));
  expect([...byRuntime, ...byPeople].filter((id) => !known.has(id))).toEqual([]);

  let doubles = 0;
  for (const [sender, messages] of stored) {
    const sent = channel.sendApi.sent.filter(({ body }) => body.to === sender);
    const ids = sent.map(({ body }) => body.biz_opaque_callback_data);
    const once = ids.filter((id, index) => id !== ids[index - 1]);
    doubles += ids.length - once.length;
    // A note of who took over is sent to nobody.
    const inOrder = messages
      .filter(({ direction, kind }) => direction === 'out' && kind !== 'takeover')
      .map(({ id }) => id);
    expect(once).toEqual(inOrder);
  }
  process.stdout.write(
    `${perSender * CONVERSATIONS} messages in, ${outgoing.length} out, ${CONVERSATIONS} conversations, ${kills} kills: ${doubles} sent twice\n`,
  );
}, 1_200_000);
