import type { MessageContent } from '../conversations/message-content.ts';
import type { Referral } from '../conversations/messages.contract.ts';
import { at, idOf } from './payload-json.ts';

/** The things around a message's words: it answers another one, comes from an ad or a product, or was forwarded. */
export type MessageBackground = Pick<MessageContent, 'quoted_id' | 'referral' | 'forwarded'>;

/** The channel's own limits are lower. */
const MAX_LENGTH = 1024;

export function readBackground(message: unknown): MessageBackground {
  const quoted_id = idOf(at(message, 'context', 'id')) ?? idOf(at(message, 'reaction', 'message_id'));
  const referral = referralOf(message);
  const isForwarded = ['forwarded', 'frequently_forwarded'].some(
    (name) => at(message, 'context', name) === true,
  );
  return {
    ...(quoted_id !== undefined && { quoted_id }),
    ...(referral && { referral }),
    ...(isForwarded && { forwarded: true as const }),
  };
}

function referralOf(message: unknown): Referral | undefined {
  const referral = {
    headline: textAt(message, 'referral', 'headline'),
    body: textAt(message, 'referral', 'body'),
    source_id: textAt(message, 'referral', 'source_id'),
    product_id: textAt(message, 'context', 'referred_product', 'product_retailer_id'),
  };
  return Object.values(referral).some((part) => part !== null) ? referral : undefined;
}

function textAt(message: unknown, ...path: string[]): string | null {
  const text = at(message, ...path);
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_LENGTH).toWellFormed() : null;
}
