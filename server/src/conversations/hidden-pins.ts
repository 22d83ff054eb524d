import type { Sender } from '../platform/actor.ts';
import type { Database } from '../platform/db/database.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { type ContentKeyring, type MessageContent, openContent, sealContent } from './message-content.ts';
import { listNewestIncoming, lockConversation, replaceContent } from './messages.db.ts';

/** Senders type a PIN right after the question, so only the last messages are searched. */
const MESSAGES = 5;
const MASK = '••••';

/** Masks PINs in the sender's last messages, for people and for `history`. */
export const hidePins =
  ({ db, keyring }: { db: Database; keyring: ContentKeyring }) =>
  async ({ tenant_id, conversation_id }: Sender, pins: readonly string[]): Promise<void> => {
    const q = db.tenant(tenant_id);
    await q.transaction(async (tx) => {
      const { messages } = await tx.run({
        lock: lockConversation(conversation_id),
        messages: listNewestIncoming(conversation_id, MESSAGES),
      });
      for (const message of messages) {
        const content = await openContent(keyring, q, message);
        const masked = withoutPins(content, pins);
        if (JSON.stringify(masked) === JSON.stringify(content)) continue;
        await tx.run(replaceContent(message.id, await sealContent(keyring, q, message.id, masked)));
      }
    });
  };

const withoutPins = (content: MessageContent, pins: readonly string[]): MessageContent => ({
  ...content,
  ...(typeof content.text === 'string' && { text: masked(content.text, pins) }),
  ...(content.raw && { raw: withoutPinsInRaw(content.raw, pins) }),
});

/** Only nested objects hold text of the sender; the message's own strings are ids and addresses. */
function withoutPinsInRaw(raw: JsonObject, pins: readonly string[]): JsonObject {
  const { message } = raw;
  if (!isJsonObject(message)) return raw;
  const fields = Object.entries(message).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : deeplyMasked(value, pins),
  ]);
  return { ...raw, message: Object.fromEntries(fields) };
}

function deeplyMasked(value: unknown, pins: readonly string[]): unknown {
  if (typeof value === 'string') return masked(value, pins);
  if (Array.isArray(value)) return value.map((element) => deeplyMasked(element, pins));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deeplyMasked(inner, pins)]));
}

/** Masks a PIN among words, or a text of only a PIN with separators between its digits. */
const masked = (text: string, pins: readonly string[]): string =>
  pins.reduce((rest, pin) => (digitsOf(rest) === pin ? MASK : rest.replaceAll(asWord(pin), MASK)), text);

const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');

const asWord = (pin: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${pin}(?![\\p{L}\\p{N}])`, 'gu');
