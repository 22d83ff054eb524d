import type { Conversation, Message } from '@agent-control-plane/sdk';
import type { Output } from './output.ts';
import { moment, oneLine, printable } from './text.ts';

/** The words of a message, or a note in brackets where there are none. */
export function wordsOf({ text, kind, media }: Message): string {
  const files = media.map(({ filename, mime_type, id }) => `[${filename ?? mime_type ?? kind}, media ${id}]`);
  if (text !== null) {
    const note = kind === 'handover' ? 'handed over: ' : '';
    return printable([`${note}${text}`, ...files].join('\n'));
  }
  if (files.length > 0) return printable(files.join('\n'));
  return kind === 'text' ? '[no longer kept]' : `[${oneLine(kind)}]`;
}

/** True for a message that a sender hears: neither the sender's own nor a note for people of the team. */
export const isHeard = ({ author, kind }: Message): boolean => author !== 'sender' && kind !== 'handover';

/** Indents every line but the first. */
export const hanging = (text: string, columns: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(columns)}`);

/** A message with its time, author, status where that matters, and why it waits or failed. */
export function messageLines(output: Output, message: Message): string {
  const { at, author, status, error } = message;
  const time = moment(at);
  const start = `${time}  ${author.padEnd(6)}  `;
  const words = hanging(wordsOf(message), start.length);
  // Handled is what every incoming message becomes.
  const state = status === 'handled' ? '' : output.style('dim', `  (${status})`);
  const why = error === null ? '' : `\n${' '.repeat(start.length)}${output.style('yellow', oneLine(error))}`;
  return `${output.style('dim', time)}  ${output.style(author === 'sender' ? 'cyan' : 'green', author.padEnd(6))}  ${words}${state}${why}`;
}

/** One line about a conversation. */
export function summaryOf(conversation: Conversation): string {
  const { display_name, external_id, channel, unanswered } = conversation;
  const who = display_name === null ? external_id : `${display_name} (${external_id})`;
  const open = unanswered === 0 ? 'nothing unanswered' : `${unanswered} unanswered`;
  return `${who} in ${channel}; ${keeperOf(conversation)}; ${open}`;
}

/** Names whoever answers in a conversation. */
export function keeperOf({ mode, human_until }: Conversation): string {
  if (mode === 'agent') return 'the agent answers';
  return human_until === null ? 'a person has it' : `a person has it until ${moment(human_until)}`;
}
