import type { Conversation, Message } from '@agent-control-plane/sdk';
import type { Output } from './output.ts';
import { moment, oneLine, printable } from './text.ts';

/** The text, or a note in brackets without one. */
export function messageText(message: Message): string {
  const { text, kind, media } = message;
  const files = media.map(({ filename, mime_type, id }) => `[${filename ?? mime_type ?? kind}, media ${id}]`);
  if (text !== null) {
    const note = kind === 'handover' ? 'handed over: ' : '';
    return printable([`${note}${text}`, ...files, ...choiceLines(message)].join('\n'));
  }
  if (message.kind === 'takeover') return takeoverText(message);
  if (files.length > 0) return printable(files.join('\n'));
  return kind === 'text' ? '[no longer kept]' : `[${oneLine(kind)}]`;
}

/** In the order in which they are shown. */
export const choicesOf = ({ buttons, options }: Message): Message['buttons'] =>
  buttons.length > 0 ? buttons : (options?.items ?? []);

function choiceLines(message: Message): string[] {
  const below = new Map(message.options?.items.map(({ id, description }) => [id, description]));
  return choicesOf(message).map(({ id, title }, index) => {
    const description = below.get(id);
    return `  ${index + 1}. ${oneLine(title)}${description ? `: ${oneLine(description)}` : ''}`;
  });
}

function takeoverText({ user, key }: Message): string {
  if (user) return `taken over by ${nameOf(user)}`;
  if (key) return `taken over by the key ${nameOf(key)}`;
  return 'taken over on the phone, or given back to the agent';
}

const nameOf = ({ id, name }: { readonly id: string; readonly name: string | null }): string =>
  oneLine(name ?? id);

/** False for the sender's own messages and for notes to the team. */
export const reachesSender = ({ author, kind }: Message): boolean =>
  author !== 'sender' && kind !== 'handover' && kind !== 'takeover';

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
  const { display_name, external_id, channel, unanswered, waiting_since, reply_until } = conversation;
  const who = display_name === null ? external_id : `${display_name} (${external_id})`;
  const since = waiting_since === null ? '' : ` since ${moment(waiting_since)}`;
  const open = unanswered === 0 ? 'nothing unanswered' : `${unanswered} unanswered${since}`;
  const until = reply_until === null ? '' : `; free text until ${moment(reply_until)}`;
  return `${who} in ${channel}; ${responderOf(conversation)}; ${open}${until}`;
}

export function responderOf(conversation: Conversation): string {
  const { mode, human_until } = conversation;
  if (mode === 'agent') return 'the agent answers';
  const until = human_until === null ? '' : ` until ${moment(human_until)}`;
  return `${takerOf(conversation) ?? 'a person'} has it${until}`;
}

/** @returns null while nobody has taken it */
export function takerOf({ taken_by }: Conversation): string | null {
  if (taken_by === null) return null;
  const { kind, id, name } = taken_by;
  if (kind === 'channel') return 'a colleague on the phone';
  const named = nameOf({ id: id ?? '', name });
  return kind === 'key' ? `the key ${named}` : named;
}
