import { parseCommand } from './commands.ts';
import type { PastMessage } from './inbound-message.ts';
import { mayHoldPin } from './pin-text.ts';
import { setPin } from './tools/set-pin.ts';
import { verify } from './tools/verify.ts';

/** A message for a model. */
export interface ChatTurn {
  role: 'user' | 'assistant';
  content: string;
}

/** Tells a model whose words begin like this. Only what stands in the assistant's turns can be a colleague's. */
export const colleagueNote =
  'A message of yours that begins with "[A colleague wrote]" was written by a person of the team, not by you.';
const colleague = '[A colleague wrote] ';
/** In place of words that no model may read. */
export const hidden = '[A number or code that only the system reads]';

/** How many earlier answers may have asked for the PIN or code. */
const answersBack = 4;
const asksForSecret = /\bPIN\b|\bverif/;
const codePattern = /^(?=.*\d)[\w-]{3,40}$/;

/** No PIN or code reaches a model, neither at once nor as history. A burst holds several messages. */
function isSecret(line: string, isAsked: boolean): boolean {
  const tool = parseCommand(line)?.tool;
  return (
    tool === setPin || tool === verify || mayHoldPin(line, isAsked) || (isAsked && codePattern.test(line))
  );
}

const isAnswer = ({ author }: PastMessage) => author !== 'sender';

/** True when one of the last answers before a message, or the one to it, speaks of a PIN or a verification. */
function isAskedAt(history: readonly PastMessage[], index: number): boolean {
  const before = history.slice(0, index).filter(isAnswer).slice(-answersBack);
  const after = history
    .slice(index + 1)
    .filter(isAnswer)
    .slice(0, 1);
  return [...before, ...after].some(({ text }) => asksForSecret.test(text));
}

function textContent(history: readonly PastMessage[], { author, text }: PastMessage, index: number): string {
  if (author === 'person') return colleague + text;
  if (author !== 'sender') return text;
  const isAsked = isAskedAt(history, index);
  return text
    .split('\n')
    .map((line) => (isSecret(line, isAsked) ? hidden : line))
    .join('\n');
}

/** Joins neighbours of one role, because some models want the roles to alternate. */
function merged(turns: readonly ChatTurn[]): ChatTurn[] {
  const result: ChatTurn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last?.role === turn.role) last.content += `\n\n${turn.content}`;
    else result.push({ ...turn });
  }
  return result;
}

/** The chat of a model: the history, then what was said and done in this turn, then the question. */
export function chatOf(
  history: readonly PastMessage[],
  done: readonly ChatTurn[],
  question: string,
): ChatTurn[] {
  const past = history.map(
    (message, index): ChatTurn => ({
      role: message.author === 'sender' ? 'user' : 'assistant',
      content: textContent(history, message, index),
    }),
  );
  return merged([...past, ...done, { role: 'user', content: question }]);
}
