import { LRUCache } from 'lru-cache';
import type { Answer, Deliver } from './answer.ts';
import type { Answered } from './answered.ts';
import { isCutOff } from './cut-off.ts';
import type { InboundMessage } from './inbound-message.ts';
import { type Log, reasonOf } from './log.ts';
import { expectsAnswer } from './message.ts';

const rememberedIds = 10_000;

/** undeliverable: a person took over, or the conversation is gone. failed: the message should be delivered again. */
export type Outcome = 'answered' | 'ignored' | 'duplicate' | 'undeliverable' | 'failed';

interface Memory {
  /** Once per message: a copy after a failed delivery must not log the same hours again. */
  answer: Promise<Answer | undefined> | undefined;
  /** undefined after a failure. */
  delivery: Promise<Outcome> | undefined;
}

interface Dependencies {
  /** @returns undefined: no answer. Throws CutOff. */
  answer: (message: InboundMessage) => Promise<Answer | undefined>;
  deliver: Deliver;
  /** Returns at once and never throws. */
  showReading: (message: InboundMessage) => void;
  /** By earlier processes. */
  answered: Answered;
  log: Log;
}

/** A burst with more messages is another message than its first one, so the key has all ids. */
const keyOf = ({ message_ids }: InboundMessage) => JSON.stringify(message_ids);

/** Makes and delivers one answer per message, even if the message arrives repeatedly. */
export function createInbox({ answer, deliver, showReading, answered, log }: Dependencies) {
  const memories = new LRUCache<string, Memory>({ max: rememberedIds });

  async function take(key: string, message: InboundMessage, memory: Memory): Promise<Outcome> {
    const { message_id, customer_id } = message;
    if (memory.answer === undefined) {
      showReading(message);
      memory.answer = answer(message);
    }
    const made = await memory.answer.catch((error: unknown) => {
      if (isCutOff(error)) return 'cut_off' as const;
      throw error;
    });
    if (made === 'cut_off') {
      log.warn('cut_off', { message_id, customer_id });
      memory.answer = undefined;
      memory.delivery = undefined;
      return 'failed';
    }
    if (made === undefined) return 'ignored';
    const { result, status, error } = await deliver(message, made);
    if (result === 'failed') {
      log.warn('answer_failed', { message_id, customer_id, status, error });
      memory.delivery = undefined;
      return 'failed';
    }
    memory.answer = undefined;
    // A full disk is no failure: another copy would be answered twice.
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
