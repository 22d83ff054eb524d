import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';

export type ReplyKeyring = Pick<Keyring, 'seal' | 'open'>;

/** Replies by name, as they are sealed; none where nothing was kept. */
export async function openReplies(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  sealed: Buffer | null,
  context: string,
): Promise<JsonObject> {
  return sealed === null ? {} : (JSON.parse(await keyring.open(q, sealed, context)) as JsonObject);
}

/** The same with one more. A name that is there already gets the new reply. */
export async function addReply(
  keyring: ReplyKeyring,
  q: TenantQueryable,
  { sealed, context }: { sealed: Buffer | null; context: string },
  { name, reply }: { name: string; reply: string },
): Promise<Buffer> {
  const former = await openReplies(keyring, q, sealed, context);
  const replies = Object.fromEntries([...Object.entries(former), [name, reply]]);
  return keyring.seal(q, JSON.stringify(replies), context);
}

/** The context of the seal of what an identity has said of itself. */
export const identityContext = (identity_id: string) => `identity-attributes:${identity_id}`;
