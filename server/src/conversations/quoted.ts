import type { TenantQueryable } from '../platform/db/queryable.ts';
import { type ContentKeyring, type MessageContent, openContent } from './message-content.ts';
import type { Quoted } from './messages.contract.ts';
import { listQuoted } from './messages.db.ts';

/** A message of the channel has at most this many characters. */
const MAX_LENGTH = 4096;

/**
 * Finds the messages that messages of one conversation quote.
 * @returns what a content quotes: null when it quotes nothing, only `{text: null}` when that is not kept
 */
export async function readQuoted(
  keyring: ContentKeyring,
  q: TenantQueryable,
  conversation_id: string,
  contents: readonly MessageContent[],
): Promise<(content: MessageContent) => Quoted | null> {
  const ids = contents.flatMap(({ quoted_id }) => quoted_id ?? []);
  const rows = ids.length === 0 ? [] : await q.run(listQuoted(conversation_id, ids));
  const found = new Map<string, Quoted>();
  for (const { channel_ids, author, at, ...stored } of rows) {
    const { text } = await openContent(keyring, q, stored);
    const quoted = { text: text?.slice(0, MAX_LENGTH).toWellFormed() ?? null, author, at: at.toISOString() };
    for (const id of channel_ids) found.set(id, quoted);
  }
  return ({ quoted_id }) => (quoted_id === undefined ? null : (found.get(quoted_id) ?? { text: null }));
}
