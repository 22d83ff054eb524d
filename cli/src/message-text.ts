import type { Conversation, Message } from '@agent-control-plane/sdk';
import type { Output } from './output.ts';
import { moment, oneLine, printable } from './text.ts';

/** The text, or a note in brackets without one. */
export function messageText({ text, kind, media }: Message): string {
  const files = media.map(({ filename, mime_type, id }) => `[${filename ?? mime_type ?? kind}, media ${id}]`);
  if (text !== null) {
    const note = kind === 'handover' ? 'handed over: ' : '';
    return printable([`${note}${text}`, ...files].join('\n'));
  }
  if (files.length > 0) return printable(files.join('\n'));
  return kind === 'text' ? '[no longer kept]' : `[${oneLine(kind)}]`;
}

/** False for the sender's own messages and for notes to the team. */
export const reachesSender = ({ author, kind }: Message): boolean =>
  author !== 'sender' && kind !== 'handover';

export const indentRest = (text: string, columns: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(columns)}`);

export function messageLines(output: Output, message: Message): string {
  const { at, author, status, error } = message;
  const time = moment(at);
  const start = `${time}  ${author.padEnd(6)}  `;
  const content = indentRest(messageText(message), start.length);
  // Every incoming message becomes handled.
  const state = status === 'handled' ? '' : output.style('dim', `  (${status})`);
  const why = error === null ? '' : `\n${' '.repeat(start.length)}${output.style('yellow', oneLine(error))}`;
  return `${output.style('dim', time)}  ${output.style(author === 'sender' ? 'cyan' : 'green', author.padEnd(6))}  ${content}${state}${why}`;
}

export function summaryOf(conversation: Conversation): string {
  const { display_name, external_id, channel, unanswered } = conversation;
  const who = display_name === null ? external_id : `${display_name} (${external_id})`;
  const open = unanswered === 0 ? 'nothing unanswered' : `${unanswered} unanswered`;
  return `${who} in ${channel}; ${responderOf(conversation)}; ${open}`;
}

export function responderOf({ mode, human_until }: Conversation): string {
  if (mode === 'agent') return 'the agent answers';
  return human_until === null ? 'a person has it' : `a person has it until ${moment(human_until)}`;
}
