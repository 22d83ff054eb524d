import { spellingsOf } from '../identities/address-spellings.ts';
import { findServedIdentity, linkAddresses } from '../identities/identity-addresses.db.ts';
import { messageSecretContext } from '../instances/agent-secrets.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { Services } from '../services.ts';
import { markDead, markDelivered, recordFailedAttempt } from './channel-messages.db.ts';
import { findOldestPending, findOnlyCustomer, type PendingMessageRow } from './message-routes.db.ts';

const MAX_ERROR_LENGTH = 200;

/**
 * Hands over the oldest waiting message of the conversation that a message belongs to: there are never fewer jobs than
 * waiting messages, so each gets its turn, and none overtakes another in whatever order the jobs come. Rejects when the
 * message is to be tried again; resolves when it was taken, when it is given up, and when there is none.
 */
export async function forwardOldestMessage(
  services: Services,
  tenant_id: string,
  channel_message_id: string,
): Promise<void> {
  const q = services.db.tenant(tenant_id);
  const message = await findOldestPending(q, channel_message_id);
  if (!message) return;
  const { id, instance_id } = message;
  const now = services.clock();
  const hopeless = whyHopeless(message, now);
  if (hopeless) {
    await markDead(q, id, instance_id, hopeless, now);
    return;
  }
  const failure = await handOver(services, q, message);
  if (failure === undefined) {
    await markDelivered(q, id, instance_id, services.clock());
    return;
  }
  await recordFailedAttempt(q, id, failure);
  throw new Error(`The message ${id} was not taken: ${failure}`);
}

/** Why a message is given up; undefined while it is worth trying. */
function whyHopeless(
  message: Pick<PendingMessageRow, 'instance_status' | 'give_up_at' | 'last_error'>,
  now: Date,
): string | undefined {
  if (message.instance_status === 'terminated') return 'The instance is terminated';
  if (now < message.give_up_at) return undefined;
  return `Given up after 24 hours: ${message.last_error ?? 'it never came to its turn'}`.slice(
    0,
    MAX_ERROR_LENGTH,
  );
}

/** @returns why the runtime did not take the message; undefined when it did */
async function handOver(
  services: Services,
  q: TenantQueryable,
  message: PendingMessageRow,
): Promise<string | undefined> {
  const { instance_id, instance_status, runtime_address, sealed_message_secret } = message;
  if (instance_status !== 'running') return `The instance is ${instance_status}`;
  if (runtime_address === null || sealed_message_secret === null) return 'The instance has no runtime';
  const sender = await findSender(q, message);
  const context = messageSecretContext(instance_id);
  const secret = await services.keyring.open(q, sealed_message_secret, context);
  const { message_id, channel, external_id, text, raw } = message;
  const received_at = message.received_at.toISOString();
  const outgoing = { message_id, channel, external_id, ...sender, text, raw, received_at };
  try {
    await services.runtimes.postMessage(runtime_address, secret, outgoing);
    return undefined;
  } catch (error) {
    return describeError(error, secret);
  }
}

interface Sender {
  customer_id: string | null;
  identity_id: string | null;
}

/**
 * Who wrote: a known identity of a customer that the instance serves, else the customer, where the instance serves one
 * alone. Of a sender's two addresses, the one that was not known yet is added to the identity.
 */
async function findSender(q: Queryable, message: PendingMessageRow): Promise<Sender> {
  const { instance_id, channel, external_id, raw } = message;
  const { from } = raw.message;
  const addresses = typeof from === 'string' && from !== external_id ? [external_id, from] : [external_id];
  const [identity, onlyCustomer] = await Promise.all([
    q.run(findServedIdentity(instance_id, channel, addresses.flatMap(spellingsOf))),
    findOnlyCustomer(q, instance_id),
  ]);
  if (identity) {
    if (addresses.length > 1) await q.run(linkAddresses(identity, addresses));
    return { customer_id: identity.customer_id, identity_id: identity.identity_id };
  }
  const customer_id = message.hosting_mode === 'dedicated' ? message.instance_customer_id : onlyCustomer;
  return { customer_id: customer_id ?? null, identity_id: null };
}

/** Short, and without the secret, which a client library may quote. */
function describeError(error: unknown, secret: string): string {
  const text = error instanceof Error ? error.message : 'Unknown error';
  return storableText(text.replaceAll(secret, '…')).slice(0, MAX_ERROR_LENGTH);
}
