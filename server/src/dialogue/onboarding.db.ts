import { NOW, sql } from '../platform/db/sql.ts';

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

export const keepInConversation = (id: string, sealed_attributes: Buffer) =>
  sql`update conversations set sealed_attributes = ${sealed_attributes} where id = ${id}`;

/** Notes that a step is asked. Everything up to the newest message came before it, so that replies have higher numbers. */
export const noteAsked = (id: string, flow_id: string, { step, number }: { step: number; number: number }) =>
  sql`update conversations set onboarding_flow_id = ${flow_id}, onboarding_step = ${step}, onboarding_number = ${number}
      where id = ${id}`;

/** The agent gets everything that waits together. */
export const endOnboarding = (id: string) =>
  sql`update conversations set onboarding_flow_id = null, onboarded_at = ${NOW}, joins_waiting = true where id = ${id}`;
