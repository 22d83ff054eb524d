import { spellingsOf } from '../identities/address-spellings.ts';
import { findServedIdentity, linkAddresses } from '../identities/identity-addresses.db.ts';
import { messageSecretContext } from '../instances/agent-secrets.ts';
import type { RuntimeClient } from '../instances/runtime-client.port.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { TryLater } from '../platform/queue/queue.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  findOldestWaiting,
  findOnlyCustomer,
  markDead,
  markDelivered,
  recordFailedAttempt,
  type WaitingMessage,
} from './inbox.db.ts';

const MAX_ERROR_LENGTH = 200;
/** After as many messages a conversation goes to the end of its instance's line. */
const MESSAGES_PER_TURN = 16;

export interface ForwardingServices {
  keyring: Keyring;
  runtimes: RuntimeClient;
}

/**
 * The job of a conversation: hands its waiting messages to the instance's runtime, oldest first. Rejects when the oldest one
 * is to be tried again after a pause.
 * @returns `now` when messages may be left
 */
export async function forwardMessages(
  services: ForwardingServices,
  q: TenantQueryable,
  conversation: string,
  signal: AbortSignal,
): Promise<'now' | undefined> {
  const findNext = findOldestWaiting(conversation);
  let message = await q.run(findNext);
  for (let count = 0; message; count++) {
    if (signal.aborted || count === MESSAGES_PER_TURN) return 'now';
    const end = await forward(services, q, message);
    if ('failure' in end) {
      await q.run(recordFailedAttempt(message, end.failure));
      // The pauses begin anew after a message that was taken.
      if (count > 0) return 'now';
      throw new TryLater(end.failure);
    }
    [, message] = await q.run(end.mark, findNext);
  }
  return undefined;
}

async function forward(
  services: ForwardingServices,
  q: TenantQueryable,
  message: WaitingMessage,
): Promise<{ mark: Query<unknown> } | { failure: string }> {
  const hopeless = whyHopeless(message, q.now);
  if (hopeless !== undefined) return { mark: markDead(message, hopeless) };
  const failure = await handOver(services, q, message);
  return failure === undefined ? { mark: markDelivered(message) } : { failure };
}

/** The reason why a message is given up; undefined while it is worth trying. */
function whyHopeless(message: WaitingMessage, now: Date): string | undefined {
  if (message.instance_status === 'terminated') return 'The instance is terminated';
  if (now < message.give_up_at) return undefined;
  const reason = message.last_error ?? 'it never came to its turn';
  return `Given up after 24 hours: ${reason}`.slice(0, MAX_ERROR_LENGTH);
}

/** @returns the reason why the runtime did not take the message; undefined when it did */
async function handOver(
  services: ForwardingServices,
  q: TenantQueryable,
  message: WaitingMessage,
): Promise<string | undefined> {
  const { instance_id, instance_status, runtime_address, sealed_message_secret } = message;
  if (instance_status !== 'running') return `The instance is ${instance_status}`;
  if (runtime_address === null || sealed_message_secret === null) return 'The instance has no runtime';
  const sender = await findSender(q, message);
  const secret = await services.keyring.open(q, sealed_message_secret, messageSecretContext(instance_id));
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
 * The sender is a known identity of a customer that the instance serves; else only the customer is known, where the instance
 * serves a single one. Of a sender's two addresses, the one that was not known yet is added to the identity.
 */
async function findSender(q: TenantQueryable, message: WaitingMessage): Promise<Sender> {
  const { instance_id, channel, external_id, raw } = message;
  const { from } = raw.message;
  const addresses = typeof from === 'string' && from !== external_id ? [external_id, from] : [external_id];
  const identity = await q.run(findServedIdentity(instance_id, channel, addresses.flatMap(spellingsOf)));
  if (identity) {
    if (addresses.length > 1) await q.run(linkAddresses(identity, addresses));
    return { customer_id: identity.customer_id, identity_id: identity.identity_id };
  }
  const isDedicated = message.hosting_mode === 'dedicated';
  const customer_id = isDedicated ? message.instance_customer_id : await q.run(findOnlyCustomer(instance_id));
  return { customer_id: customer_id ?? null, identity_id: null };
}

/** Short, and without the secret, which a client library may quote. */
function describeError(error: unknown, secret: string): string {
  const text = error instanceof Error ? error.message : 'Unknown error';
  return storableText(text.replaceAll(secret, '…')).slice(0, MAX_ERROR_LENGTH);
}
