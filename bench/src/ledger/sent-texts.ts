import type { Book } from './book.ts';
import type { Channel, Sent } from './channel.ts';
import type { Message } from './messages.ts';

const TEXTS = 'texts at the channel';
/** A send of which the service does not know the outcome is repeated once, after this time, unless a notice tells. */
const NOTICE_WITHIN_MS = 60_000;
/** The measurement is less exact than the service. */
const TOLERANCE_MS = 1000;

/**
 * Everything that was answered reached the channel once and in order. A text may come once more, a minute later, where the
 * outcome of its first send was unknown (contract, section 13).
 */
export function compareSent(
  book: Book,
  channel: Channel,
  sender: string,
  messages: readonly Message[],
): void {
  const theirs = channel.sent.filter(({ to }) => to === sender);
  const answers = messages.filter(({ direction }) => direction === 'out');
  for (const { id } of answers) book.acknowledge(TEXTS, id);
  const ids = new Set(answers.map(({ id }) => id));
  const sends = new Map<string, Sent[]>();
  for (const sent of theirs) sends.set(sent.message_id, [...(sends.get(sent.message_id) ?? []), sent]);
  book.compare(TEXTS, [...sends.keys()], (id) => ids.has(id));
  for (const [id, [first, ...again]] of sends) if (first) judgeRepeats(book, id, first, again);
  const all = theirs.map(({ message_id }) => message_id);
  const inTurn = all.filter((id, place) => id !== all[place - 1]);
  book.compareOrder(
    TEXTS,
    answers.map(({ id }) => id),
    inTurn,
  );
  for (const message of answers) judgeStatus(book, message, sends.get(message.id) ?? []);
}

function judgeRepeats(book: Book, id: string, first: Sent, again: readonly Sent[]): void {
  const [second, ...more] = again;
  if (!second) return;
  const paused = second.at - first.at;
  const isUnknown = !first.isTold || book.wasInTrouble(first.at, first.at + NOTICE_WITHIN_MS);
  if (more.length === 0 && isUnknown && paused >= NOTICE_WITHIN_MS - TOLERANCE_MS) {
    book.allow('text sent once more, a minute after a send of unknown outcome');
    return;
  }
  const pauses = again.map(({ at }) => `${((at - first.at) / 1000).toFixed(1)} s`).join(', ');
  book.find(TEXTS, 'doubled', `${id} of ${first.to}: again after ${pauses}`, first.at);
}

/** A message has failed where both its sends had an unknown outcome, and nothing else fails. */
function judgeStatus(
  book: Book,
  { id, status, error }: Message,
  sends: readonly { isTold: boolean }[],
): void {
  if (status === 'sent' || status === 'delivered' || status === 'read') return;
  const isLost = sends.length === 2;
  if (status === 'failed' && isLost) return book.allow('text that failed after two sends of unknown outcome');
  book.find(TEXTS, 'wrong', `${id} is ${status}: ${error}`);
}
