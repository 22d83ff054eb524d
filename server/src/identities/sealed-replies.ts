import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';

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

/** A reply of the same name is replaced. */
export async function addReply(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  { sealed, context }: { sealed: Buffer | null; context: string },
  { name, reply }: { name: string; reply: string },
): Promise<Buffer> {
  const previous = await openReplies(keyring, q, sealed, context);
  const replies = Object.fromEntries([...Object.entries(previous), [name, reply]]);
  return keyring.seal(q, JSON.stringify(replies), context);
}

export const identityContext = (identity_id: string) => `identity-attributes:${identity_id}`;
