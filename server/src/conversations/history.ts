import type { TenantQueryable } from '../platform/db/queryable.ts';
import { type ContentKeyring, type MessageContent, openContent } from './message-content.ts';
import type { MessageAuthor } from './messages.contract.ts';
import { listHistory } from './messages.db.ts';

const MAX_MESSAGES = 20;
const MAX_BYTES = 16 * 1024;

interface PastMessage {
  author: MessageAuthor;
  text: string;
  at: string;
}

/** The last messages that do not wait, oldest first, up to 20 messages and 16 KiB (contract, section 13). */
export async function readHistory(
  keyring: ContentKeyring,
  q: TenantQueryable,
  conversation_id: string,
): Promise<PastMessage[]> {
  const rows = await q.run(listHistory(conversation_id, MAX_MESSAGES));
  const history: PastMessage[] = [];
  let bytes = 2;
  for (const row of rows) {
    const text = textOf(await openContent(keyring, q, row));
    if (typeof text !== 'string' || text === '') continue;
    const past = { author: row.author, text, at: row.at.toISOString() };
    bytes += Buffer.byteLength(JSON.stringify(past)) + 1;
    if (bytes > MAX_BYTES) break;
    history.push(past);
  }
  return history.toReversed();
}

/** A reaction has no words, and may be the answer to a question all the same. */
const textOf = ({ text, reaction }: MessageContent): string | null | undefined =>
  reaction?.emoji ? `[reaction ${reaction.emoji}]` : text;
