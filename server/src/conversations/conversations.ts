import type { Static } from 'typebox';
import { openReplies } from '../identities/sealed-replies.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found, ServiceError } from '../platform/errors.ts';
import type { Conversation } from './conversations.contract.ts';
import type { ConversationRow } from './conversations.db.ts';
import { type ContentKeyring, isUnreadable, openContent, UNREADABLE } from './message-content.ts';
import type { Message } from './messages.contract.ts';
import { listNewestMessages, type MessageRow, messageExists } from './messages.db.ts';
import { readQuoted } from './quoted.ts';

export interface ConversationServices {
  keyring: ContentKeyring;
}

export const attributesContext = (conversation_id: string) => `conversation-attributes:${conversation_id}`;

/** @param namesCustomer the caller may read customers */
export async function readConversation(
  { keyring }: ConversationServices,
  q: TenantQueryable,
  { sealed_attributes, last_id, last_author, last_at, last_sealed_content, ...row }: ConversationRow,
  namesCustomer: boolean,
): Promise<Static<typeof Conversation>> {
  const { taken_by_kind, taken_by_id, taken_by_name, handover_id, handover_sealed_content, ...named } = row;
  const { customer_email, ...rest } = named;
  const textOf = async (id: string | null, sealed_content: Buffer | null) =>
    id === null ? null : ((await openContent(keyring, q, { id, sealed_content })).text ?? null);
  const [attributes, handover_reason, text] = await Promise.all([
    openReplies(keyring, q, sealed_attributes, attributesContext(row.id)),
    textOf(handover_id, handover_sealed_content),
    textOf(last_id, last_sealed_content),
  ]);
  return {
    ...rest,
    customer_name: rest.customer_name ?? (namesCustomer ? customer_email : null),
    taken_by: taken_by_kind && { kind: taken_by_kind, id: taken_by_id, name: taken_by_name },
    handover_reason,
    attributes,
    last_message: last_author && last_at && { author: last_author, text, at: last_at },
  };
}

/** Messages of one conversation, in the given order. */
export async function readEach(
  { keyring }: ConversationServices,
  q: TenantQueryable,
  conversation_id: string,
  rows: readonly MessageRow[],
): Promise<Static<typeof Message>[]> {
  const contents = await Promise.all(rows.map((row) => openContent(keyring, q, row)));
  const quotedIn = await readQuoted(keyring, q, conversation_id, contents);
  return rows.map((row, index) => {
    const { id, change, direction, author, user_id, user_name, key_id, key_name, kind, status, at } = row;
    const content = contents[index] ?? {};
    const {
      text = null,
      media = [],
      buttons = [],
      options = null,
      tool_calls = [],
      referral = null,
      reaction = null,
      said_by = null,
    } = content;
    return {
      id,
      change,
      conversation_id,
      direction,
      author,
      user_id,
      user: named(user_id, user_name),
      key: named(key_id, key_name),
      kind,
      text,
      media,
      buttons,
      options,
      tool_calls,
      quoted: quotedIn(content),
      referral,
      reaction,
      said_by,
      status,
      at,
      usage: row.usage,
      error: isUnreadable(content) ? UNREADABLE : (row.error ?? content.error ?? null),
    };
  });
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name });

export async function readMessage(
  services: ConversationServices,
  q: TenantQueryable,
  row: MessageRow,
): Promise<Static<typeof Message>> {
  return found('Message', (await readEach(services, q, row.conversation_id, [row]))[0]);
}

/** Oldest first. */
export async function readMessages(
  services: ConversationServices,
  q: TenantQueryable,
  conversation_id: string,
  { before, per_page }: { before?: string | undefined; per_page: number },
) {
  const list = listNewestMessages(conversation_id, before, per_page + 1);
  const check = before && { exists: messageExists(conversation_id, before) };
  const { rows } = await q.run({ ...check, rows: list });
  const page = rows.slice(0, per_page).toReversed();
  const items = await readEach(services, q, conversation_id, page);
  const isMore = (rows[0]?.found ?? 0) > page.length;
  return { items, next_before: isMore ? (page[0]?.id ?? null) : null };
}

/** A job's conversation may be deleted while it runs; then the job is over. */
export function overWhenDeleted(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'not_found') return undefined;
  throw error;
}
