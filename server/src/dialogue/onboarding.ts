import { sendAsSystem } from '../conversations/answers.ts';
import { endOnboarding, keepInConversation, noteAsked } from '../conversations/conversations.db.ts';
import { attributesContext } from '../conversations/conversations.ts';
import { waitUntil } from '../conversations/handled-messages.db.ts';
import { type MessageContent, openContent } from '../conversations/message-content.ts';
import { holdConversation } from '../conversations/messages.db.ts';
import { setIdentityAttributes } from '../identities/identities.db.ts';
import { addReply, identityContext } from '../identities/sealed-replies.ts';
import type { TenantTx } from '../platform/db/queryable.ts';
import { pauseEnds } from './bursts.ts';
import { findSender } from './deliver-to-runtime.ts';
import { type WaitingMessage } from './forwarding.db.ts';
import { type ForwardingPass, withTranscripts } from './forwarding-pass.ts';
import { findKeptReplies } from './onboarding.db.ts';

/** With more waiting messages than this, onboarding ends and the agent gets them. */
const MOST_WAITING = 40;

/** True while a new sender is asked the steps of a flow. The agent gets nothing meanwhile. */
export const isOnboarding = ({ conversation }: ForwardingPass): boolean =>
  conversation.onboarding_step > 0
    ? conversation.onboarding_flow_id !== null
    : (conversation.onboarding_steps ?? []).length > 0 && conversation.is_new && !conversation.is_known;

/**
 * Asks the next step once the last one has a reply. Onboarding ends after the last step, when the flow is deleted, or when a
 * person has written.
 * @returns when to look again; undefined while a reply is missing, `again` when messages can be forwarded
 */
export async function askNextStep(
  pass: ForwardingPass,
  waiting: readonly WaitingMessage[],
): Promise<Date | undefined | 'again'> {
  const { now, conversation } = pass;
  const { onboarding_step: asked, onboarding_steps: steps, onboarding_number } = conversation;
  if (steps === null || !conversation.is_new || waiting.length > MOST_WAITING) return end(pass);
  const later = waiting.filter(({ number }) => number > onboarding_number);
  const complete_at = pauseEnds(pass, later);
  if (later.length > 0 && complete_at > now) return complete_at;
  if (asked === 0) return proceed(pass, waiting);
  const contents = await Promise.all(
    (await withTranscripts(pass, later)).map((message) => openMessage(pass, message)),
  );
  const replies = contents.flatMap((content) => replyIn(content) ?? []);
  if (replies.length === 0) return undefined;
  const name = steps[asked - 1]?.save_as ?? null;
  const kept = name === null ? undefined : { name, reply: replies.join('\n') };
  return proceed(pass, waiting, kept);
}

interface OpenedMessage extends MessageContent {
  kind: string;
}

const openMessage = async (
  { services, q }: ForwardingPass,
  message: WaitingMessage,
): Promise<OpenedMessage> => ({
  ...(await openContent(services.keyring, q, message)),
  kind: message.kind,
});

/** Reactions have no text, and edits may be about an earlier question. */
function replyIn({ kind, text, media = [], edited_message_id }: OpenedMessage): string | undefined {
  if (edited_message_id !== undefined) return undefined;
  if (typeof text === 'string' && text !== '') return text;
  return media.length > 0 ? `[${kind}]` : undefined;
}

/** Stores the reply and asks the next step or ends, in one transaction. */
async function proceed(
  pass: ForwardingPass,
  waiting: readonly WaitingMessage[],
  kept?: { name: string; reply: string },
): Promise<undefined | 'again'> {
  const { services, q, now, conversation } = pass;
  const { id, onboarding_flow_id, onboarding_step: asked, onboarding_steps: steps } = conversation;
  const next = steps?.[asked];
  const identity_id = kept ? await findSender(q, conversation) : null;
  await q.transaction(async (tx) => {
    await tx.run(holdConversation(id), waitUntil(id, now));
    if (kept) await keep(pass, tx, identity_id, kept);
    if (!next || onboarding_flow_id === null) return tx.run(endOnboarding(id));
    await sendAsSystem(services, q, tx, {
      conversation_id: id,
      text: next.text,
      key: `onboarding:${asked + 1}`,
    });
    const number = Math.max(0, ...waiting.map((message) => message.number));
    return tx.run(noteAsked(id, onboarding_flow_id, { step: asked + 1, number }));
  });
  return next ? undefined : 'again';
}

async function end({ q, now, conversation: { id } }: ForwardingPass): Promise<'again'> {
  await q.run(holdConversation(id), waitUntil(id, now), endOnboarding(id));
  return 'again';
}

async function keep(
  { services: { keyring }, q, conversation: { id } }: ForwardingPass,
  tx: TenantTx,
  identity_id: string | null,
  kept: { name: string; reply: string },
): Promise<void> {
  const { of_conversation, of_identity } = await tx.run(findKeptReplies(id, identity_id));
  const ofConversation = { sealed: of_conversation, context: attributesContext(id) };
  await tx.run(keepInConversation(id, await addReply(keyring, q, ofConversation, kept)));
  if (identity_id === null) return;
  const ofIdentity = { sealed: of_identity, context: identityContext(identity_id) };
  await tx.run(setIdentityAttributes(identity_id, await addReply(keyring, q, ofIdentity, kept)));
}
