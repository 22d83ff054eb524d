import { sendAsSystem } from '../conversations/answers.ts';
import { setAwayUntil } from '../conversations/conversations.db.ts';
import { waitUntil } from '../conversations/handled-messages.db.ts';
import { holdConversation } from '../conversations/messages.db.ts';
import { nextOpening } from './business-hours.ts';
import type { ForwardingPass } from './forwarding-pass.ts';

/**
 * Sends the away message once per closed period.
 * @returns when to look again; undefined while it is open
 */
export async function stayClosed({
  services,
  q,
  now,
  conversation,
  settings,
}: ForwardingPass): Promise<Date | undefined> {
  if (!settings.business_hours) return undefined;
  const opening = nextOpening(settings.business_hours, now);
  if (opening === 'open') return undefined;
  // The configuration may get opening times later.
  const look_at = opening === 'never' ? new Date(now.getTime() + 24 * 60 * 60 * 1000) : opening;
  const { id, away_until } = conversation;
  const isKnown = away_until !== null && away_until > now;
  await q.transaction(async (tx) => {
    await tx.run(holdConversation(id), waitUntil(id, look_at));
    if (isKnown) return;
    await tx.run(setAwayUntil(id, opening === 'never' ? null : opening));
    if (settings.away_message === undefined) return;
    const key = `away:${look_at.toISOString()}`;
    await sendAsSystem(services, q, tx, { conversation_id: id, text: settings.away_message, key });
  });
  return look_at;
}

/** Sends the greeting to a new sender, once. */
export async function greet({ services, q, conversation, settings }: ForwardingPass): Promise<void> {
  const { greeting } = settings;
  if (greeting === undefined || !conversation.is_new || conversation.is_greeted) return;
  await q.transaction(async (tx) => {
    await tx.run(holdConversation(conversation.id));
    await sendAsSystem(services, q, tx, {
      conversation_id: conversation.id,
      text: greeting,
      key: 'greeting',
    });
  });
}
