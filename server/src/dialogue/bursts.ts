import type { WaitingMessage } from './forwarding.db.ts';
import type { ForwardingPass } from './forwarding-pass.ts';

/** A burst ends after this many times the pause, even when the sender never pauses. */
const LONGEST_BURST = 5;

interface Burst {
  /** In the order of arrival. */
  messages: readonly WaitingMessage[];
  /** The time at which the sender has paused long enough. */
  complete_at: Date;
}

/** @param waiting in the order of arrival @returns the messages that go together */
export function burstOf(pass: ForwardingPass, waiting: readonly WaitingMessage[]): Burst {
  const { messages, complete_at } = arrivedTogether(pass, waiting);
  const isAlone = messages.length === 1 && messages[0]?.burst === null;
  return { messages: isAlone ? withEarlier(waiting) : messages, complete_at };
}

export const asWritten = (messages: readonly WaitingMessage[]): readonly WaitingMessage[] =>
  messages.toSorted((a, b) => secondOf(a) - secondOf(b));

/** The channel tells whole seconds. */
const secondOf = ({ sent_at }: WaitingMessage): number => Math.floor(sent_at.getTime() / 1000);

/**
 * The first message, with all up to the last one that was written before it: an answer to a message ends those that arrived
 * before, so they have to be told together.
 */
function withEarlier(waiting: readonly WaitingMessage[]): readonly WaitingMessage[] {
  const [first] = waiting;
  if (!first) return [];
  const last = waiting.findLastIndex((message) => secondOf(message) < secondOf(first));
  return waiting.slice(0, Math.max(last, 0) + 1).filter(({ burst }) => burst === null);
}

function arrivedTogether(
  { conversation, settings }: ForwardingPass,
  waiting: readonly WaitingMessage[],
): Burst {
  const [first, ...others] = waiting;
  const at = first?.received_at ?? new Date(0);
  if (!first) return { messages: [], complete_at: at };
  if (first.burst !== null) {
    return { messages: [first, ...others.filter(({ burst }) => burst === first.burst)], complete_at: at };
  }
  const { joins_waiting, away_until } = conversation;
  if (!joins_waiting && settings.burst_seconds === 0) {
    // Messages of a closed period are forwarded together at opening.
    const closed = waiting.filter(({ received_at }) => away_until !== null && received_at < away_until);
    return { messages: closed.includes(first) ? closed : [first], complete_at: at };
  }
  return { messages: waiting, complete_at: pauseEnds({ settings }, waiting) };
}

export function pauseEnds(
  { settings: { burst_seconds } }: Pick<ForwardingPass, 'settings'>,
  messages: readonly WaitingMessage[],
): Date {
  const times = messages.map(({ received_at }) => received_at.getTime());
  const quiet = Math.max(0, ...times) + burst_seconds * 1000;
  const longest = Math.min(...times) + LONGEST_BURST * burst_seconds * 1000;
  return new Date(Math.min(quiet, longest));
}
