import type { Agent } from './agent.ts';
import type { Book } from './book.ts';
import { conversationOf, type Message, settledMessages } from './messages.ts';
import { GIVEN } from './recorder.ts';
import { compareSent } from './sent-texts.ts';
import type { Stage } from './stage.ts';
import { compareTriggers } from './triggers.ts';
import type { WriterContext } from './writers.ts';

const CONVERSATIONS = 8;
/** A person answers instead of the agent in one of this many conversations. */
const ONE_IN_HAS_PERSON = 4;
/** The sender does not wait for each answer in one of this many conversations. */
const ONE_IN_HURRIES = 4;
const HURRIED = 3;
/** The outcomes of the last approvals are told by then. */
const SOON_MS = 60_000;

interface Talk {
  sender: string;
  /** Acknowledged by the webhook. */
  texts: string[];
  /** By a person of the team. */
  answers: string[];
}

/** How somebody writes. */
interface Manner {
  hasPerson: boolean;
  /** How many messages are written before an answer is waited for. */
  atOnce: number;
  /** Writes no more than so many. */
  most: number;
}

export interface Talked {
  /** Waits until none of the messages waits, or nothing moves any more. */
  settle(): Promise<void>;
  /** The same, then compares them. @returns all messages */
  compare(): Promise<Message[]>;
}

/** People write to the agent until the run is over. */
export async function talk(context: WriterContext, stage: Stage, agent: Agent): Promise<Talked> {
  const people = Array.from({ length: CONVERSATIONS }, (_, index) => {
    const atOnce = index % ONE_IN_HURRIES === 2 ? HURRIED : 1;
    return converse(context, stage, `4915${String(100_000_000 + index)}`, {
      hasPerson: index % ONE_IN_HAS_PERSON === 1,
      atOnce,
      most: Infinity,
    });
  });
  const once = { hasPerson: false, atOnce: 1, most: 1 };
  const others = [agent.reminded_person, ...(context.isLong ? [stage.channel.silent_person] : [])];
  const talks = await Promise.all([
    ...people,
    ...others.map((person) => converse(context, stage, person, once)),
  ]);
  const readAll = (patienceMs: number) =>
    Promise.all(
      talks.map(async (one) => ({ talk: one, messages: await settledMessages(context, one, patienceMs) })),
    );
  const compare = async () => {
    // Messages that made no progress before make none now.
    const all = await readAll(Math.min(context.patienceMs, SOON_MS));
    for (const { talk, messages } of all) {
      compareTalk(context.book, talk, messages);
      compareGiven(context.book, talk);
    }
    const messages = all.flatMap((one) => one.messages);
    compareAccepted(context.book, messages);
    for (const { talk, messages } of all) compareSent(context.book, stage.channel, talk.sender, messages);
    const reminded = all.find(({ talk }) => talk.sender === agent.reminded_person);
    if (reminded) compareTriggers(context, reminded.messages);
    return messages;
  };
  return { settle: async () => void (await readAll(context.patienceMs)), compare };
}

/** Writes the next message after an answer, or after 10 s. */
async function converse(
  context: WriterContext,
  { channel }: Stage,
  sender: string,
  manner: Manner,
): Promise<Talk> {
  const { book, isOver, pause } = context;
  const talk: Talk = { sender, texts: [], answers: [] };
  const { hasPerson, atOnce, most } = manner;
  for (let number = 1; number <= most && (!isOver() || number === 1); number++) {
    const text = `message ${number}`;
    book.try('messages of people', `${sender} ${text}`);
    await channel.write(sender, text);
    talk.texts.push(text);
    book.acknowledge('messages of people', `${sender} ${text}`);
    if (hasPerson) await answerAsPerson(context, talk, number);
    else if (number % atOnce === 0) await channel.received(sender, number);
    if (number % atOnce === 0) await pause();
  }
  return talk;
}

async function answerAsPerson(context: WriterContext, talk: Talk, number: number): Promise<void> {
  const { api, book } = context;
  const path = `/v1/conversations/${await conversationOf(context, talk.sender)}`;
  if (number === 1) await api.callUntilAnswered('PATCH', path, { mode: 'human' });
  const answer = `person ${number}`;
  book.try('answers of persons', `${talk.sender} ${answer}`);
  await api.callUntilAnswered('POST', `${path}/messages`, { text: answer, idempotency_key: answer });
  talk.answers.push(answer);
  book.acknowledge('answers of persons', `${talk.sender} ${answer}`);
}

const isAnswer = ({ author, text }: Message) => author === 'agent' && text.startsWith('answer ');

function compareTalk(book: Book, { sender, texts, answers }: Talk, messages: readonly Message[]): void {
  const isTheirs = (key: string) => key.startsWith(`${sender} `);
  const compare = (kind: string, expected: readonly string[], chosen: readonly Message[]) => {
    const found = chosen.map(({ text }) => `${sender} ${text}`);
    book.compare(kind, found, isTheirs);
    book.compareOrder(
      kind,
      expected.map((text) => `${sender} ${text}`),
      found,
    );
  };
  const written = messages.filter(({ author }) => author === 'sender');
  compare('messages of people', texts, written);
  compare(
    'answers of persons',
    answers,
    messages.filter(({ author }) => author === 'person'),
  );
  const expected = answers.length > 0 ? [] : texts.map((text) => `answer to ${text}`);
  for (const text of expected) book.acknowledge('answers of agents', `${sender} ${text}`);
  compare('answers of agents', expected, messages.filter(isAnswer));
  for (const { text, status, error } of written) {
    if (status !== 'handled')
      book.find('messages of people', 'lost', `${sender} ${text} is ${status}: ${error}`);
  }
}

/** Runtimes told which of their answers were accepted; one may be there although its acceptance was never heard of. */
function compareAccepted(book: Book, messages: readonly Message[]): void {
  const ids = messages.filter(({ author }) => author === 'agent').map(({ id }) => id);
  for (const id of ids) book.try('accepted answers', id);
  book.compare('accepted answers', ids);
}

/** A runtime is given what was written, in its order. */
function compareGiven(book: Book, { sender, texts }: Talk): void {
  const written = texts.map((text) => `${sender} ${text}`);
  const given = book.keysOf(GIVEN).filter((key) => key.startsWith(`${sender} message `));
  book.compareOrder(GIVEN, written, given);
  for (const key of given) if (!written.includes(key)) book.find(GIVEN, 'invented', key);
}
