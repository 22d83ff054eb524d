import type { WaitingMessage } from './forwarding.db.ts';
import type { ForwardingPass } from './forwarding-pass.ts';

/** A burst ends after this many times the pause, even when the sender never pauses. */
const LONGEST_BURST = 5;

/** @returns the messages to forward together, and the time at which the sender has paused long enough */
export function burstOf(
  { conversation, settings }: ForwardingPass,
  waiting: readonly WaitingMessage[],
): { messages: readonly WaitingMessage[]; complete_at: Date } {
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
