import { sql } from '../platform/db/sql.ts';

/** Sealed replies. `of_identity` is null without an identity. */
interface KeptReplies {
  of_conversation: Buffer | null;
  of_identity: Buffer | null;
}

/** Locks the identity. Requires holdConversation. */
export const findKeptReplies = (conversation_id: string, identity_id: string | null) =>
  sql<KeptReplies>`
    with identity as (select sealed_attributes from identities where id = ${identity_id}::uuid for no key update)
    select sealed_attributes as of_conversation, (select sealed_attributes from identity) as of_identity
    from conversations where id = ${conversation_id}`.one();
