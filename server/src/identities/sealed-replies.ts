import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';

/** Senders write them, and a page has those of a hundred senders. */
const BOUNDS = { reply_length: 4096, all_bytes: 32 * 1024 };

export type ReplyKeyring = Pick<Keyring, 'seal' | 'open'>;

/** Empty without replies, and where they cannot be deciphered. */
export async function openReplies(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  sealed: Buffer | null,
  context: string,
): Promise<JsonObject> {
  if (sealed === null) return {};
  return JSON.parse(await openedOr(keyring.open(q, sealed, context), '{}')) as JsonObject;
}

/** A reply of the same name is replaced. The oldest go where all together would be too large. */
export async function addReply(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  { sealed, context }: { sealed: Buffer | null; context: string },
  { name, reply }: { name: string; reply: string },
): Promise<Buffer> {
  const previous = await openReplies(keyring, q, sealed, context);
  const { [name]: _replaced, ...others } = previous;
  const replies = [...Object.entries(others), [name, reply.slice(0, BOUNDS.reply_length).toWellFormed()]];
  while (bytesOf(replies) > BOUNDS.all_bytes) replies.shift();
  return keyring.seal(q, JSON.stringify(Object.fromEntries(replies)), context);
}

export const identityContext = (identity_id: string) => `identity-attributes:${identity_id}`;

const bytesOf = (replies: unknown) => Buffer.byteLength(JSON.stringify(replies));
