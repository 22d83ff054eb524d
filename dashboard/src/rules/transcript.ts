import type { Approval, Message } from '@agent-control-plane/sdk';
import { isSameDay } from './time.ts';

/** A line of a transcript. */
export type Line =
  | { is: 'day'; key: string; at: string }
  /** Somebody else answers from here on. */
  | { is: 'turn'; key: string; message: Message }
  | { is: 'message'; key: string; message: Message }
  | { is: 'approval'; key: string; approval: Approval };

const TURNS = ['handover', 'takeover'];

/**
 * Messages and the calls that waited for a person, by time, with a line before each day.
 * @param messages oldest first
 * @param approvals in any order; those before the first message stand on a page that is not read yet
 */
export function linesOf(messages: readonly Message[], approvals: readonly Approval[]): Line[] {
  const first = messages[0]?.at ?? '';
  const moments = [
    ...messages
      // The agent is told an outcome as a message; people see it at the call itself.
      .filter(({ kind }) => kind !== 'approval' || approvals.length === 0)
      .map((message) => ({ at: message.at, line: lineOf(message) })),
    ...approvals
      .filter(({ requested_at }) => requested_at >= first)
      .map((approval) => ({
        at: approval.requested_at,
        line: { is: 'approval', key: approval.id, approval } satisfies Line,
      })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return moments.flatMap(({ at, line }, nth) => {
    const before = moments[nth - 1];
    const isNewDay = before === undefined || !isSameDay(before.at, at);
    return isNewDay ? [{ is: 'day', key: `day ${at}`, at } satisfies Line, line] : [line];
  });
}

const lineOf = (message: Message): Line => ({
  is: TURNS.includes(message.kind) ? 'turn' : 'message',
  key: message.id,
  message,
});

/** The span in which an answer was made: from what it answers until it was written. */
export interface Turn {
  from: string;
  to: string;
  /** Incoming messages that it answers. */
  asked: readonly Message[];
}

/** An answer that nobody asked for was made within this. */
const UNASKED_MS = 5 * 60_000;

const isAnswer = ({ direction, author }: Message) => direction === 'out' && author !== 'system';

/** @param messages oldest first, the answer among them */
export function turnOf(messages: readonly Message[], answer: Message): Turn {
  const before = messages.slice(
    0,
    messages.findIndex(({ id }) => id === answer.id),
  );
  const last = before.findLastIndex(isAnswer);
  const asked = before.slice(last + 1).filter(({ direction }) => direction === 'in');
  const latest = before[last]?.at;
  const unasked = new Date(Date.parse(answer.at) - UNASKED_MS).toISOString();
  const from = asked[0]?.at ?? (latest !== undefined && latest > unasked ? latest : unasked);
  return { from, to: answer.at, asked };
}
