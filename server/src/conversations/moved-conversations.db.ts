import type { MovedAddress } from '../identities/identity-addresses.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';

/** Precedes claimMessage: conversations are locked in one order. @param told the new addresses */
export const holdMoving = (message: { endpoint_id: string; message_id: string }, told: readonly string[]) =>
  sql`select hold_moving(${message.endpoint_id}, ${message.message_id}, ${told}::text[])`;

/**
 * Gives the sender of a conversation its new addresses in place of the former ones. Requires holdMoving.
 * A sender who has a conversation at the new address goes on in the one in which it spoke last.
 */
export const moveConversation = (id: string, { from, new_phone, new_user_id }: MovedAddress) =>
  sql`select move_sender(${id}, ${from}::text[], ${new_phone}, ${new_user_id}, ${NOW})`;
