import { createInterface } from 'node:readline';
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
}

/** Sends each text after the previous answer. Throws CliError when an answer does not come. */
export async function chatPlainly(
  { output }: Cli,
  texts: AsyncIterable<string> | Iterable<string>,
  { dialogue, timeoutMs, why }: PlainChatOptions,
): Promise<void> {
  dialogue.on('message', (message) => {
    if (reachesSender(message)) output.each(message, () => output.line(labelled(message)));
  });
  for await (const text of texts) {
    if (text.trim() === '') continue;
    const id = await dialogue.say(text);
    const timeout = AbortSignal.timeout(timeoutMs);
    const outcome = await dialogue.settled(id, timeout).catch((error: unknown) => {
      if (!timeout.aborted) throw error;
    });
    if (outcome === 'answered') continue;
    if (outcome === 'dead')
      throw negativeResult(`not answered: ${oneLine(dialogue.errorOf(id) ?? 'given up')}`);
    throw negativeResult(`no answer within ${timeoutMs / 1000} s: ${await why(id)}`);
  }
}

const labelled = (message: Message): string =>
  message.author === 'agent' ? messageText(message) : `[${message.author}] ${messageText(message)}`;

export const inputLines = ({ terminal }: Cli): AsyncIterable<string> =>
  createInterface({ input: terminal.stdin, crlfDelay: Infinity });
