import type { Conversation, Message } from '@agent-control-plane/sdk';
import { visible } from './visible-text.ts';

/** Digits alone are a phone number; other addresses stand as they are. */
export const addressWords = (address: string): string =>
  /^\d{7,15}$/.test(address) ? `+${address}` : visible(address);

export const senderName = ({
  display_name,
  external_id,
}: Pick<Conversation, 'display_name' | 'external_id'>): string =>
  display_name === null ? addressWords(external_id) : visible(display_name);

/** The author of a message, in words for whoever reads. */
export function speakerOf(
  { author, user, key, said_by }: Message,
  conversation: Pick<Conversation, 'display_name' | 'external_id'>,
  my_id: string | undefined,
): string {
  if (author === 'sender') return said_by === null ? senderName(conversation) : visible(said_by);
  if (author === 'agent') return 'Agent';
  if (author === 'system') return 'Service';
  return personOf({ user, key }, my_id) ?? 'A colleague on the phone';
}

/** Whoever of us wrote or took over; undefined: nobody is named. */
export function personOf(
  { user, key }: Pick<Message, 'user' | 'key'>,
  my_id: string | undefined,
): string | undefined {
  if (user !== null) return user.id === my_id ? 'You' : (user.name ?? 'A former colleague');
  return key === null ? undefined : (key.name ?? 'A program');
}
