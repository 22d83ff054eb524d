import { claimMessage } from '../conversations/claimed-messages.db.ts';
import { mergeLayers } from '../conversations/config-layers.ts';
import { enqueueConverse } from '../conversations/conversations.db.ts';
import { answeredByEcho, findEchoConfig, revokeMessage, takeByChannel } from '../conversations/echoes.db.ts';
import { eraseAnswered } from '../conversations/retention.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { readChannelConfig } from '../recipes/fields/channel-config.ts';

/**
 * Applies a message of the channel that the control plane acts on itself, once: a colleague's words answer what waited and
 * take the conversation, and a message that its writer has deleted is erased.
 */
export async function applyWords(
  q: TenantDb,
  message: { endpoint_id: string; message_id: string },
  { is_echo, revoked_message_id }: { is_echo: boolean; revoked_message_id: string | undefined },
): Promise<void> {
  await q.transaction(async (tx) => {
    const claimed = await tx.run(claimMessage(message));
    if (!claimed) return;
    const { id, conversation_id } = claimed;
    if (revoked_message_id !== undefined) await tx.run(revokeMessage(id, revoked_message_id));
    if (!is_echo) return;
    const config = await tx.run(findEchoConfig(conversation_id));
    const { echo_minutes } = readChannelConfig(config ? mergeLayers(config) : {});
    await tx.run(
      answeredByEcho(id),
      takeByChannel(id, echo_minutes),
      eraseAnswered(conversation_id),
      enqueueConverse(conversation_id, 'human_until'),
    );
  });
}
