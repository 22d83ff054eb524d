import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { negativeResult } from '../errors.ts';
import { messageText, reachesSender } from '../message-text.ts';
import { oneLine } from '../text.ts';
import type { Dialogue } from './dialogue.ts';

interface PlainChatOptions {
  readonly dialogue: Dialogue;
  readonly timeoutMs: number;
  readonly why: (message_id: string) => Promise<string>;
  /** Says why nobody can answer now. */
  readonly whyHopeless: () => Promise<string | undefined>;
}

const LOOK_EVERY_MS = 1000;
/** A runtime that is started again is back sooner. */
const HOPELESS_AFTER = 3;

/** Sends each text after the previous answer, or a question of the onboarding flow. Throws CliError when an answer does not come. */
export async function chatPlainly(
  { output }: Cli,
  texts: AsyncIterable<string> | Iterable<string>,
  { dialogue, timeoutMs, why, whyHopeless }: PlainChatOptions,
): Promise<void> {
  dialogue.on('message', (message) => {
    if (reachesSender(message)) output.each(message, () => output.line(labelled(message)));
  });
  for await (const text of texts) {
    if (text.trim() === '') continue;
    const id = await dialogue.say(text);
    const over = new AbortController();
    setTimeout(() => over.abort(), timeoutMs).unref();
    const waiting = over.signal;
    const watched = untilHopeless(whyHopeless, waiting).finally(() => over.abort());
    const outcome = await dialogue.settled(id, waiting).catch((error: unknown) => {
      if (!waiting.aborted) throw error;
    });
    over.abort();
    if (outcome === 'answered' || outcome === 'asked') continue;
    const hopeless = await watched;
    if (hopeless !== undefined) throw negativeResult(`no answer: ${hopeless}`);
    if (outcome === 'dead')
      throw negativeResult(`not answered: ${oneLine(dialogue.errorOf(id) ?? 'given up')}`);
    throw negativeResult(`no answer within ${timeoutMs / 1000} s: ${await why(id)}`);
  }
}

/** @returns undefined once the waiting ends otherwise */
async function untilHopeless(
  whyHopeless: () => Promise<string | undefined>,
  waiting: AbortSignal,
): Promise<string | undefined> {
  for (let times = 0; ; ) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: waiting }).catch(() => {});
    if (waiting.aborted) return undefined;
    const reason = await whyHopeless().catch(() => undefined);
    times = reason === undefined ? 0 : times + 1;
    if (times === HOPELESS_AFTER) return reason;
  }
}

const labelled = (message: Message): string =>
  message.author === 'agent' ? messageText(message) : `[${message.author}] ${messageText(message)}`;

export const inputLines = ({ terminal }: Cli): AsyncIterable<string> =>
  createInterface({ input: terminal.stdin, crlfDelay: Infinity });
