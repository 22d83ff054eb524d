import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Book } from './book.ts';
import type { Stage } from './stage.ts';
import { type Check, newCustomer, type WriterContext } from './writers.ts';

const CONVERSATIONS = 8;
/** A person answers instead of the agent in one of this many conversations. */
const ONE_IN_HAS_PERSON = 4;
/** Longer than a message waits for the channel's receipt after a crash. */
const NO_PROGRESS_MS = 240_000;

interface Message {
  id: string;
  direction: 'in' | 'out';
  author: string;
  text: string;
  status: string;
}

interface Talk {
  sender: string;
  /** Acknowledged by the webhook. */
  texts: string[];
  /** By a person of the team. */
  answers: string[];
}

/** With the channel's number. @returns the instance's id */
export async function deployAgent(
  { api, tier_id, region_id }: WriterContext,
  { channel }: Stage,
): Promise<string> {
  const { id: customer_id } = await newCustomer(api);
  await api.callUntilAnswered('POST', `/v1/customers/${customer_id}/connections`, {
    provider: 'chatapp',
    credentials: { access_token: 'the access token' },
  });
  const { id: recipe_id } = await api.callUntilAnswered<{ id: string }>('POST', '/v1/recipes', {
    name: 'Agent',
    connection_requirements: [{ provider: 'chatapp' }],
    channel_config: { burst_seconds: 0 },
  });
  const place = { tier_id, region_id, hostname: 'agent.example.com' };
  const { instance_id } = await api.callUntilAnswered<{ instance_id: string }>('POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    ...place,
  });
  await api.callUntilAnswered('POST', '/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id: channel.phone_number_id,
    instance_id,
    verify_token: 'a word',
    app_secret: channel.app_secret,
  });
  return instance_id;
}

/** People write to the agent until the run is over. */
export async function talk(context: WriterContext, stage: Stage, instance_id: string): Promise<Check> {
  const senders = Array.from({ length: CONVERSATIONS }, (_, index) => `4915${String(100_000_000 + index)}`);
  const talks = await Promise.all(
    senders.map((sender, index) => converse(context, stage, sender, index % ONE_IN_HAS_PERSON === 1)),
  );
  return async () => {
    const stored = new Map<string, Message[]>();
    for (const { sender, texts, answers } of talks) {
      const conversation_id = await conversationOf(context.api, sender);
      const messages = await settledMessages(context.api, conversation_id, texts.length);
      stored.set(sender, messages);
      compareTalk(context.book, { sender, texts, answers }, messages);
    }
    await compareAnswers(context.book, stage, instance_id, [...stored.values()].flat());
    for (const [sender, messages] of stored) compareSent(context.book, stage, sender, messages);
  };
}

/** Writes the next message after an answer, or after 10 s. */
async function converse(
  { api, book, isOver, pause }: WriterContext,
  { channel }: Stage,
  sender: string,
  hasPerson: boolean,
): Promise<Talk> {
  const talk: Talk = { sender, texts: [], answers: [] };
  let conversation_id = '';
  for (let number = 1; !isOver() || number === 1; number++, await pause()) {
    const text = `message ${number}`;
    await channel.write(sender, text);
    talk.texts.push(text);
    book.acknowledge('messages of people', `${sender} ${text}`);
    if (!hasPerson) {
      await channel.received(sender, number);
      continue;
    }
    conversation_id ||= await conversationOf(api, sender);
    const path = `/v1/conversations/${conversation_id}`;
    if (number === 1) await api.callUntilAnswered('PATCH', path, { mode: 'human' });
    const answer = `person ${number}`;
    await api.callUntilAnswered('POST', `${path}/messages`, { text: answer, idempotency_key: answer });
    talk.answers.push(answer);
    book.acknowledge('answers of persons', `${sender} ${answer}`);
  }
  return talk;
}

async function conversationOf(api: Api, sender: string): Promise<string> {
  for (;;) {
    const path = '/v1/conversations?per_page=100';
    const { items } = await api.callUntilAnswered<{ items: { id: string; external_id: string }[] }>(
      'GET',
      path,
    );
    const found = items.find(({ external_id }) => external_id === sender);
    if (found) return found.id;
    await sleep(50);
  }
}

/** Waits until no message is pending and each text has an answer, or there is no progress. @returns messages, oldest first */
async function settledMessages(api: Api, conversation_id: string, texts: number): Promise<Message[]> {
  let [fewest, deadline] = [Infinity, 0];
  for (; ; await sleep(500)) {
    const messages = await messagesOf(api, conversation_id);
    const waiting = messages.filter(({ status }) => status === 'pending' || status === 'queued').length;
    const answers = messages.filter(({ direction }) => direction === 'out').length;
    const missing = waiting + Math.max(0, texts - answers);
    if (missing === 0) return messages;
    if (missing < fewest) [fewest, deadline] = [missing, Date.now() + NO_PROGRESS_MS];
    if (Date.now() > deadline) return messages;
  }
}

async function messagesOf(api: Api, conversation_id: string): Promise<Message[]> {
  let messages: Message[] = [];
  let before: string | null = null;
  do {
    const path: string = `/v1/conversations/${conversation_id}/messages?per_page=100${before ? `&before=${before}` : ''}`;
    type Page = { items: Message[]; next_before: string | null };
    const page: Page = await api.callUntilAnswered<Page>('GET', path);
    messages = [...page.items, ...messages];
    before = page.next_before;
  } while (before);
  return messages;
}

function compareTalk(book: Book, { sender, texts, answers }: Talk, messages: readonly Message[]): void {
  const keysOf = (chosen: readonly Message[]) => chosen.map(({ text }) => `${sender} ${text}`);
  const written = keysOf(messages.filter(({ direction }) => direction === 'in'));
  const byPersons = keysOf(messages.filter(({ author }) => author === 'person'));
  const byAgent = keysOf(messages.filter(({ author }) => author === 'agent'));
  const isTheirs = (key: string) => key.startsWith(`${sender} `);
  book.compare('messages of people', written, isTheirs);
  book.compareOrder(
    'messages of people',
    texts.map((text) => `${sender} ${text}`),
    written,
  );
  book.compare('answers of persons', byPersons, isTheirs);
  book.compareOrder(
    'answers of persons',
    answers.map((text) => `${sender} ${text}`),
    byPersons,
  );
  book.compare('answers of agents', byAgent, isTheirs);
  book.compareOrder(
    'answers of agents',
    texts.map((text) => `${sender} answer to ${text}`),
    byAgent,
  );
}

/** The runtime stores the ids of its accepted answers. */
async function compareAnswers(
  book: Book,
  { data_dir }: Stage,
  instance_id: string,
  messages: readonly Message[],
): Promise<void> {
  const file = join(data_dir, 'runtimes', instance_id, 'accepted');
  const accepted = (await readFile(file, 'utf8')).trim().split('\n');
  for (const id of accepted) book.acknowledge('accepted answers', id);
  book.compare(
    'accepted answers',
    messages.map(({ id }) => id),
  );
}

/** All answers reached the channel in order. Texts that were sent again are counted apart. */
function compareSent(book: Book, { channel }: Stage, sender: string, messages: readonly Message[]): void {
  const all = channel.sent.filter(({ to }) => to === sender).map(({ message_id }) => message_id);
  const once = all.filter((id, place) => id !== all[place - 1]);
  book.sentAgain += all.length - once.length;
  const answers = messages.filter(({ direction }) => direction === 'out').map(({ id }) => id);
  for (const id of answers) book.acknowledge('texts at the channel', id);
  const theirs = new Set(answers);
  book.compare('texts at the channel', once, (id) => theirs.has(id));
  book.compareOrder('texts at the channel', answers, once);
}
