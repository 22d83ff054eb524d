import { createInterface } from 'node:readline';
import type { Message } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { saysNo } from '../errors.ts';
import { isHeard, wordsOf } from '../message-text.ts';
import { oneLine } from '../text.ts';
import type { Dialogue } from './dialogue.ts';

export interface PlainChatOptions {
  readonly dialogue: Dialogue;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** Tells why a message has no answer. */
  readonly why: (message_id: string) => Promise<string>;
}

/**
 * Says each text once the one before it was answered, and prints what is said to it. Throws CliError when an answer does
 * not come.
 */
export async function chatPlainly(
  { output }: Cli,
  texts: AsyncIterable<string> | Iterable<string>,
  { dialogue, timeoutMs, why }: PlainChatOptions,
): Promise<void> {
  dialogue.on('message', (message) => {
    if (isHeard(message)) output.each(message, () => output.line(marked(message)));
  });
  for await (const text of texts) {
    if (text.trim() === '') continue;
    const id = await dialogue.say(text);
    const patience = AbortSignal.timeout(timeoutMs);
    const outcome = await dialogue.settled(id, patience).catch((error: unknown) => {
      if (!patience.aborted) throw error;
    });
    if (outcome === 'answered') continue;
    if (outcome === 'dead') throw saysNo(`not answered: ${oneLine(dialogue.errorOf(id) ?? 'given up')}`);
    throw saysNo(`no answer within ${timeoutMs / 1000} s: ${await why(id)}`);
  }
}

/** The agent's words as they are; anybody else's with the author. */
const marked = (message: Message): string =>
  message.author === 'agent' ? wordsOf(message) : `[${message.author}] ${wordsOf(message)}`;

/** The lines of standard input. */
export const linesOf = ({ terminal }: Cli): AsyncIterable<string> =>
  createInterface({ input: terminal.stdin, crlfDelay: Infinity });
