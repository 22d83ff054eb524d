import { LRUCache } from 'lru-cache';
import type { Answer, Deliver } from './answer.ts';
import type { Answered } from './answered.ts';
import type { InboundMessage } from './inbound-message.ts';
import { type Log, reasonOf } from './log.ts';
import { expectsAnswer } from './message.ts';

const rememberedIds = 10_000;

/** ignored: nothing to answer. undeliverable: a person has the conversation, or it is gone. failed: worth another copy. */
export type Outcome = 'answered' | 'ignored' | 'duplicate' | 'undeliverable' | 'failed';

interface Memory {
  /** Made once per message: a copy after a failed delivery must not log the same hours again. */
  answer: Promise<Answer | undefined> | undefined;
  /** The delivery under way or done; undefined after one that failed. */
  delivery: Promise<Outcome> | undefined;
}

interface Dependencies {
  /** @returns undefined where there is nothing to say */
  answer: (message: InboundMessage) => Promise<Answer | undefined>;
  deliver: Deliver;
  /** Shows the sender that the message is being read. Returns at once and never throws. */
  showReading: (message: InboundMessage) => void;
  /** Messages that an earlier process has answered. */
  answered: Answered;
  log: Log;
}

/** A burst that grew while a person had the conversation is another message than its first one alone. */
const keyOf = ({ message_ids }: InboundMessage) => JSON.stringify(message_ids);

/** Takes each message once, however often it arrives: one answer is made, and one is delivered. */
export function createInbox({ answer, deliver, showReading, answered, log }: Dependencies) {
  const memories = new LRUCache<string, Memory>({ max: rememberedIds });

  async function take(key: string, message: InboundMessage, memory: Memory): Promise<Outcome> {
    const { message_id, customer_id } = message;
    if (memory.answer === undefined) {
      showReading(message);
      memory.answer = answer(message);
    }
    const made = await memory.answer;
    if (made === undefined) return 'ignored';
    const { result, status, error } = await deliver(message, made);
    if (result === 'failed') {
      log.warn('answer_failed', { message_id, customer_id, status, error });
      memory.delivery = undefined;
      return 'failed';
    }
    memory.answer = undefined;
    // A disk without room is no reason to have the message answered twice by failing now.
    await answered.add(key).catch((error: unknown) => {
      log.warn('answered_not_kept', { message_id, error: reasonOf(error) });
    });
    const outcome = result === 'answered' ? 'answered' : 'undeliverable';
    log.info(outcome, { message_id, customer_id, status });
    return outcome;
  }

  return async (message: InboundMessage): Promise<Outcome> => {
    if (!expectsAnswer(message)) {
      log.info('ignored', { message_id: message.message_id });
      return 'ignored';
    }
    const key = keyOf(message);
    const known = memories.get(key);
    if (known === undefined && answered.has(key)) return 'duplicate';
    if (known?.delivery !== undefined) return (await known.delivery) === 'failed' ? 'failed' : 'duplicate';
    const memory: Memory = known ?? { answer: undefined, delivery: undefined };
    memories.set(key, memory);
    memory.delivery = take(key, message, memory);
    return await memory.delivery;
  };
}
