import { LRUCache } from 'lru-cache';
import type { Send } from './channel.ts';
import type { Log } from './log.ts';
import type { InboundMessage } from './message.ts';

const rememberedIds = 10_000;

/** failed: not delivered, and worth another copy of the message. */
export type Outcome = 'answered' | 'duplicate' | 'undeliverable' | 'failed';

interface Memory {
  /** Made once per message: a copy after a failed delivery must not log the same hours again. */
  answer: Promise<string> | undefined;
  /** The delivery under way or done; undefined after one that failed. */
  delivery: Promise<Outcome> | undefined;
}

interface Dependencies {
  answer: (message: InboundMessage) => Promise<string>;
  send: Send;
  tokenOf: (customerId: string) => Promise<string | undefined>;
  log: Log;
}

/** Takes each message once, however often it arrives: one answer is made, and one is delivered. */
export function createInbox({ answer, send, tokenOf, log }: Dependencies) {
  const memories = new LRUCache<string, Memory>({ max: rememberedIds });

  async function deliver(message: InboundMessage, memory: Memory): Promise<Outcome> {
    const { message_id, customer_id } = message;
    memory.answer ??= answer(message);
    const text = await memory.answer;
    const token = await tokenOf(customer_id);
    // A connection can still be added and sent with PUT /secrets, so this is worth another copy.
    if (token === undefined) {
      log.error('no_channel_connection', { message_id, customer_id });
      memory.delivery = undefined;
      return 'failed';
    }
    const { result, status, reason } = await send(message, text, token);
    if (result === 'failed') {
      log.warn('send_failed', { message_id, customer_id, status, reason });
      memory.delivery = undefined;
      return 'failed';
    }
    memory.answer = undefined;
    const outcome = result === 'accepted' ? 'answered' : 'undeliverable';
    log[result === 'accepted' ? 'info' : 'error'](outcome, { message_id, customer_id, status });
    return outcome;
  }

  return async (message: InboundMessage): Promise<Outcome> => {
    const known = memories.get(message.message_id);
    if (known?.delivery !== undefined) return (await known.delivery) === 'failed' ? 'failed' : 'duplicate';
    const memory: Memory = known ?? { answer: undefined, delivery: undefined };
    memories.set(message.message_id, memory);
    memory.delivery = deliver(message, memory);
    return await memory.delivery;
  };
}
