import type { ResolvedReceipt } from '../conversations/sent-messages.db.ts';
import { applyReceipts, holdConversationsOf } from '../conversations/sent-messages.db.ts';
import type { Database } from '../platform/db/database.ts';
import { unauthenticated } from '../platform/errors.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { applyWords } from './applied-words.ts';
import { applyChangedAddress } from './changed-addresses.ts';
import type { ChannelMetrics } from './channel-metrics.ts';
import type { DeliveryReceipt } from './delivery-receipts.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { Delivery, Inbox } from './inbox.ts';
import { applyOptOut } from './opt-outs.ts';
import { findReceiptMessages } from './outbox.db.ts';
import type { PayloadOrigin, SigningEndpoint, SigningEndpoints } from './signing-endpoints.ts';
import { readPayload, type WebhookPayload } from './webhook-payload.ts';
import { readSignature, SignedBytes } from './webhook-signature.ts';
import type { WebhookThrottle } from './webhook-throttle.ts';

export interface WebhookServices {
  signingEndpoints: SigningEndpoints;
  webhookThrottle: WebhookThrottle;
  inbox: Inbox;
  channelMetrics: ChannelMetrics;
  db: Database;
  keyring: Pick<Keyring, 'lookupHash'>;
}

interface ReceivedPayload {
  bytes: Buffer;
  signature: string | string[] | undefined;
  address: string;
  trace?: Trace;
}

/**
 * Messages for endpoints whose own secret signed the payload are stored before this resolves (contract, section 7). Throws
 * 401 when none of the tried secrets signed it, 429 after too many 401s of the network.
 */
export async function receiveWebhook(services: WebhookServices, received: ReceivedPayload): Promise<void> {
  const signature = readSignature(received.signature);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = new SignedBytes(received.bytes, signature);
  await services.webhookThrottle.attempt(received.address, () => ingest(services, signed, received.trace));
}

async function ingest(services: WebhookServices, signed: SignedBytes, trace?: Trace): Promise<void> {
  const { received, changes } = services.channelMetrics;
  const payload = readPayload(signed.bytes);
  const { messages, statuses, unusable } = payload ?? { messages: [], statuses: 0, unusable: 1 };
  const stored = await store(services, signed, payload ?? NO_CONTENTS, trace);
  received.count('unknown_number', messages.length - stored);
  received.count('status', statuses);
  received.count('unparseable', unusable);
  changes.count(payload?.fields ?? []);
}

/** Stands for a body that is no JSON object: its signature is verified all the same. */
const NO_CONTENTS: Contents = { phone_number_ids: [], account_ids: [], messages: [], receipts: [] };

type Contents = PayloadOrigin & Pick<WebhookPayload, 'messages' | 'receipts'>;

/** Stores messages for registered numbers. @returns how many. Throws 401. */
async function store(
  { signingEndpoints, inbox, db, keyring }: WebhookServices,
  signed: SignedBytes,
  contents: Contents,
  trace: Trace | undefined,
): Promise<number> {
  const { messages, receipts } = contents;
  let signers = await signingEndpoints.find(contents, signed);
  let delivery = deliveryFor(signers, messages, trace);
  // An endpoint has changed since it was looked up, so the signature is verified again.
  while (!(await inbox.store(delivery))) {
    signers = await signingEndpoints.findAnew(contents, signed);
    delivery = deliveryFor(signers, messages, trace);
  }
  await applyDeliveryReceipts(db, signers ?? [], receipts);
  await applyEffects({ db, keyring }, signers ?? [], messages);
  return delivery.length;
}

type SignedReceipt = Omit<DeliveryReceipt, 'phone_number_id'> & Pick<ResolvedReceipt, 'endpoint_ids'>;

async function applyDeliveryReceipts(
  db: Database,
  signers: readonly SigningEndpoint[],
  receipts: readonly DeliveryReceipt[],
): Promise<void> {
  const taken = receipts.flatMap(({ phone_number_id, ...receipt }) => {
    const own = signers.filter((endpoint) => endpoint.phone_number_id === phone_number_id);
    return own.length > 0 ? [{ ...receipt, endpoint_ids: own.map(({ id }) => id) }] : [];
  });
  const named = await resolveReceipts(db, taken);
  if (named.length > 0) await db.system.run(holdConversationsOf(named), applyReceipts(named));
}

/** Adds our message ids to receipts that have only the channel's id. Receipts for unknown messages are dropped. */
async function resolveReceipts(db: Database, receipts: readonly SignedReceipt[]): Promise<ResolvedReceipt[]> {
  const unnamed = receipts.filter(({ id }) => id === null);
  const found = unnamed.length === 0 ? [] : await db.system.run(findReceiptMessages(unnamed));
  const ids = new Map(found.map(({ channel_id, id }) => [channel_id, id]));
  return receipts.flatMap(({ id, recipient: _, ...receipt }) => {
    const named = id ?? ids.get(receipt.channel_id);
    return named === undefined ? [] : [{ ...receipt, id: named }];
  });
}

/**
 * Applied here and once for each message, so that it counts also while the runtime is down or a person has the conversation.
 * A former number may be reassigned to somebody else at any time.
 */
async function applyEffects(
  { db, keyring }: Pick<WebhookServices, 'db' | 'keyring'>,
  signers: readonly SigningEndpoint[],
  messages: readonly InboundMessage[],
): Promise<void> {
  for (const { phone_number_id, message_id, effect } of messages) {
    const endpoint = signers.find((signer) => signer.phone_number_id === phone_number_id);
    if (!endpoint) continue;
    const q = db.tenant(endpoint.tenant_id);
    const message = { endpoint_id: endpoint.id, message_id };
    const { changed_address, opt_out_command, revoked_message_id, is_echo } = effect;
    if (changed_address) await applyChangedAddress(keyring, q, message, changed_address);
    else if (opt_out_command) await applyOptOut(keyring, q, message, opt_out_command);
    else if (is_echo || revoked_message_id !== undefined) {
      await applyWords(q, message, { is_echo: is_echo ?? false, revoked_message_id });
    }
  }
}

function deliveryFor(
  signers: readonly SigningEndpoint[] | undefined,
  messages: readonly InboundMessage[],
  trace: Trace | undefined,
): Delivery {
  if (!signers) throw unauthenticated('The signature does not match');
  const endpoints = new Map(signers.map((endpoint) => [endpoint.phone_number_id, endpoint]));
  return messages.flatMap(({ phone_number_id, effect: _, ...message }) => {
    const endpoint = endpoints.get(phone_number_id);
    if (!endpoint) return [];
    const { id: endpoint_id, tenant_id, app_secret_hash } = endpoint;
    return [{ endpoint_id, tenant_id, app_secret_hash, trace, ...message }];
  });
}
