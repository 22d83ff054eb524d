import { parseCommand } from './commands.ts';
import type { PastMessage } from './inbound-message.ts';
import { mayHoldPin } from './pin-text.ts';
import { setPin } from './tools/set-pin.ts';
import { verify } from './tools/verify.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Only messages with the role `assistant` can be a colleague's. */
export const colleagueNote =
  'A message of yours that begins with "[A colleague wrote]" was written by a person of the team, not by you.';
const colleague = '[A colleague wrote] ';
/** Replaces text that no model may read. */
export const hidden = '[A number or code that only the system reads]';

/** The question for a PIN or code may be this many answers ago. */
const answersBack = 4;
/** In every language of the sentences. */
const asksForSecret = /\bPIN\b|[Vv][eé]rif/;
const codePattern = /^(?=.*\d)[\w-]{3,40}$/;

/** A line may be one message of a burst. No PIN or code reaches a model, not even as history. */
function isSecret(line: string, isAsked: boolean): boolean {
  const tool = parseCommand(line)?.tool;
  return (
    tool === setPin || tool === verify || mayHoldPin(line, isAsked) || (isAsked && codePattern.test(line))
  );
}

const isAnswer = ({ author }: PastMessage) => author !== 'sender';

/** True when one of the answers before the message, or the one to it, mentions a PIN or a verification. */
function isAskedAt(history: readonly PastMessage[], index: number): boolean {
  const before = history.slice(0, index).filter(isAnswer).slice(-answersBack);
  const after = history
    .slice(index + 1)
    .filter(isAnswer)
    .slice(0, 1);
  return [...before, ...after].some(({ text }) => asksForSecret.test(text));
}

function visibleText(history: readonly PastMessage[], { author, text }: PastMessage, index: number): string {
  if (author === 'person') return colleague + text;
  if (author !== 'sender') return text;
  return withoutSecrets(text, isAskedAt(history, index));
}

/** @param isAsked a PIN or a code was asked for around it */
export const withoutSecrets = (text: string, isAsked: boolean): string =>
  text
    .split('\n')
    .map((line) => (isSecret(line, isAsked) ? hidden : line))
    .join('\n');

/** Joins adjacent messages of a role, because some models require alternating roles. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else result.push({ ...message });
  }
  return result;
}

/** @param done exchanges of this burst @returns the history, `done` and the question */
export function chatOf(
  history: readonly PastMessage[],
  done: readonly ChatMessage[],
  question: string,
): ChatMessage[] {
  const past = history.map(
    (message, index): ChatMessage => ({
      role: message.author === 'sender' ? 'user' : 'assistant',
      content: visibleText(history, message, index),
    }),
  );
  return merged([...past, ...done, { role: 'user', content: question }]);
}
