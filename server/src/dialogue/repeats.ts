import { openContent } from '../conversations/message-content.ts';
import type { Query } from '../platform/db/sql.ts';
import type { WaitingMessage } from './forwarding.db.ts';
import type { ForwardingPass } from './forwarding-pass.ts';
import { type NotedRepeats, noteLoop, noteRepeats, type Repeats } from './repeats.db.ts';

/** The fifth time that a text comes within ten minutes, each time after an answer, the agent keeps a loop going. */
const LOOP_TIMES = 5;
const LOOP_WITHIN_MS = 10 * 60_000;
/** A person chooses among few titles. */
const TAPS: ReadonlySet<string> = new Set(['button', 'button_reply', 'list_reply']);
/** Their text is a transcript. */
const RECORDED: ReadonlySet<string> = new Set(['audio', 'voice']);

/** A message as far as it matters here. */
interface Said {
  number: number;
  received_at: Date;
  /** A keyed hash of the text; null for a tap. */
  text_hash: Buffer | null;
}

/**
 * Finds the messages of a burst that are repeats of a loop (contract, section 13).
 * @returns also the statements that note the sender's texts
 */
export async function repeatsIn(
  { services: { keyring }, q, conversation: { id, instance_id }, repeats }: ForwardingPass,
  burst: readonly WaitingMessage[],
): Promise<{ loops: WaitingMessage[]; notes: Query<unknown>[] }> {
  const read = async (message: WaitingMessage): Promise<Said[]> => {
    const { number, received_at, kind } = message;
    if (TAPS.has(kind)) return [{ number, received_at, text_hash: null }];
    const { text } = RECORDED.has(kind) ? {} : await openContent(keyring, q, message);
    if (!text) return [];
    return [{ number, received_at, text_hash: keyring.lookupHash('repeated-text', `${id}:${text}`) }];
  };
  const said = (await Promise.all(burst.map(read))).flat();
  const number = burst[0]?.number ?? 0;
  if (said.length === 0) return { loops: [], notes: [] };
  const after = repeatsAfter(repeats, number, said);
  const loops = burst.filter((message) => after.loops.includes(message.number));
  if (repeats && number <= repeats.number) return { loops, notes: [] };
  const message = `The same text came ${LOOP_TIMES} times, each time after the agent's answer. It is not forwarded until another one comes (conversation ${id})`;
  return {
    loops,
    notes: [noteRepeats(id, after.repeats), ...(after.begins ? [noteLoop(instance_id, message)] : [])],
  };
}

function repeatsAfter(
  last: NotedRepeats | undefined,
  number: number,
  said: readonly Said[],
): { repeats: Repeats; loops: number[]; begins: boolean } {
  const isNoted = last !== undefined && number <= last.number;
  let { text_hash, times, is_loop }: Omit<Repeats, 'number'> = last ?? NOTHING;
  let begins = false;
  const loops: number[] = [];
  for (const [index, one] of said.entries()) {
    if (one.text_hash === null || text_hash === null || !one.text_hash.equals(text_hash)) {
      [text_hash, times, is_loop] = [one.text_hash, [one.received_at], false];
      continue;
    }
    // Within a burst, and before the answer, a text merely arrives together with the one before.
    const isAnswered = index === 0 && (last?.answer_number ?? Infinity) < one.number;
    if (!is_loop && !isNoted && isAnswered) {
      times = [...times, one.received_at].slice(-LOOP_TIMES);
      const [first] = times;
      begins =
        times.length === LOOP_TIMES &&
        first !== undefined &&
        one.received_at.getTime() - first.getTime() <= LOOP_WITHIN_MS;
      is_loop = begins;
    }
    if (is_loop) loops.push(one.number);
  }
  return { repeats: { text_hash, times, number, is_loop }, loops, begins };
}

const NOTHING: Omit<Repeats, 'number'> = { text_hash: null, times: [], is_loop: false };
