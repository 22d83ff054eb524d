import { sql } from '../platform/db/sql.ts';

/** Replies of a sender as they are kept; `identity_id` is null for one without an identity. */
export interface KeptReplies {
  of_conversation: Buffer | null;
  of_identity: Buffer | null;
}

/** Comes behind holdConversation; the identity stays as it is until the transaction ends. */
export const findKeptReplies = (conversation_id: string, identity_id: string | null) =>
  sql<KeptReplies>`
    with identity as (select sealed_attributes from identities where id = ${identity_id}::uuid for no key update)
    select sealed_attributes as of_conversation, (select sealed_attributes from identity) as of_identity
    from conversations where id = ${conversation_id}`.one();
