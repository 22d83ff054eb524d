import type { Conversation } from '@agent-control-plane/sdk';

/** Whoever answers a conversation now, seen by a user. */
export type Holder =
  | { is: 'agent' }
  /** The agent handed over, and nobody has come yet. */
  | { is: 'nobody'; until: string | null }
  | { is: 'you'; until: string | null }
  | { is: 'colleague'; name: string; until: string | null };

export function holderOf(
  { mode, taken_by, human_until: until }: Pick<Conversation, 'mode' | 'taken_by' | 'human_until'>,
  my_id: string | undefined,
): Holder {
  if (mode === 'agent') return { is: 'agent' };
  if (taken_by === null) return { is: 'nobody', until };
  if (taken_by.kind === 'user' && taken_by.id === my_id) return { is: 'you', until };
  return { is: 'colleague', name: nameOf(taken_by), until };
}

function nameOf({ kind, name }: NonNullable<Conversation['taken_by']>): string {
  if (kind === 'channel') return 'A colleague on the phone';
  return name ?? (kind === 'key' ? 'A program' : 'A former colleague');
}

/** `minutes` of a takeover that shall last so much longer than it does now. */
export function minutesFor(more: number, until: string | null, now: number): number {
  const left = until === null ? 0 : Math.max(0, Date.parse(until) - now) / 60_000;
  return Math.ceil(left) + more;
}

/** Free text has an end in some channels; afterwards only a template reaches the sender. */
export const isOver = (reply_until: string | null, now: number): boolean =>
  reply_until !== null && Date.parse(reply_until) <= now;
