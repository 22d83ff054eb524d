import { claimMessage } from '../conversations/claimed-messages.db.ts';
import { holdMoving, moveConversation } from '../conversations/moved-conversations.db.ts';
import { spellingsOf } from '../identities/address-spellings.ts';
import { linkAddresses, moveIdentity } from '../identities/identity-addresses.db.ts';
import { isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { moveBindings } from '../workforce/bindings.db.ts';
import type { ChangedAddress } from './inbound-content.ts';
import { copyOptOut } from './opt-outs.ts';

/**
 * Moves a sender's identity, conversation and bindings to a new number (contract, section 18), once per message. Bindings
 * have to be verified again. Other customers' data does not change.
 */
export async function applyChangedAddress(
  keyring: Pick<Keyring, 'lookupHash'>,
  q: TenantDb,
  message: { endpoint_id: string; message_id: string },
  change: ChangedAddress,
): Promise<void> {
  const follow = () => move(keyring, q, message, change);
  // Retry once: an address that was added concurrently is then treated as taken.
  await follow().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return follow();
  });
}

async function move(
  keyring: Pick<Keyring, 'lookupHash'>,
  q: TenantDb,
  message: { endpoint_id: string; message_id: string },
  { from, new_phone, new_user_id }: ChangedAddress,
): Promise<void> {
  const both = [new_phone, new_user_id].filter((address) => address !== null);
  await q.transaction(async (tx) => {
    await tx.run(holdMoving(message, both));
    const conversation = await tx.run(claimMessage(message));
    if (!conversation) return;
    const { conversation_id, customer_id, channel } = conversation;
    const change = {
      customer_id,
      channel,
      from: from.flatMap(spellingsOf),
      new_phone,
      new_user_id,
      spellings: both.flatMap(spellingsOf),
    };
    const [identity] = await tx.run(
      moveIdentity(change),
      moveBindings(change),
      moveConversation(conversation_id, change),
    );
    await tx.run(copyOptOut(keyring, { customer_id, channel }, { from, to: both }));
    if (identity?.moved && both.length > 1) {
      await tx.run(linkAddresses({ identity_id: identity.id, channel }, both));
    }
  });
}
