import type { ResolvedReceipt } from '../conversations/sent-messages.db.ts';
import { applyReceipts, holdConversationsOf } from '../conversations/sent-messages.db.ts';
import type { Database } from '../platform/db/database.ts';
import { unauthenticated } from '../platform/errors.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { applyChangedAddress } from './changed-addresses.ts';
import type { ChannelMetrics } from './channel-metrics.ts';
import type { Delivery, Inbox } from './inbox.ts';
import { applyOptOut } from './opt-outs.ts';
import { findReceiptMessages } from './outbox.db.ts';
import type { Sender, SigningEndpoint, SigningEndpoints } from './signing-endpoints.ts';
import {
  type DeliveryReceipt,
  type InboundMessage,
  readPayload,
  type WebhookPayload,
} from './webhook-payload.ts';
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

/** Bytes as they came, with the header of their signature and the caller's address. */
export interface ReceivedPayload {
  bytes: Buffer;
  signature: string | string[] | undefined;
  address: string;
  trace?: Trace;
}

/**
 * Takes a signed payload in. Messages for an endpoint whose own secret signed it are in the inbox before this resolves
 * (contract, section 7). Throws 401 when no secret that counts signed it, 429 when too many such came from the address.
 */
export async function receiveWebhook(services: WebhookServices, received: ReceivedPayload): Promise<void> {
  const signature = readSignature(received.signature);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = new SignedBytes(received.bytes, signature);
  await services.webhookThrottle.attempt(received.address, () => ingest(services, signed, received.trace));
}

async function ingest(services: WebhookServices, signed: SignedBytes, trace?: Trace): Promise<void> {
  const { received } = services.channelMetrics;
  const payload = readPayload(signed.bytes);
  const { messages, statuses, unusable } = payload ?? { messages: [], statuses: 0, unusable: 1 };
  const stored = await store(services, signed, payload ?? NOBODY, trace);
  received.count('unknown_number', messages.length - stored);
  received.count('status', statuses);
  received.count('unparseable', unusable);
}

/** The sender of what is no JSON object. */
const NOBODY: Contents = { phone_number_ids: [], account_ids: [], messages: [], receipts: [] };

type Contents = Sender & Pick<WebhookPayload, 'messages' | 'receipts'>;

/** Stores the messages for registered numbers, and returns how many they are. Throws 401 when no secret that counts signed. */
async function store(
  { signingEndpoints, inbox, db, keyring }: WebhookServices,
  signed: SignedBytes,
  contents: Contents,
  trace: Trace | undefined,
): Promise<number> {
  const { messages, receipts } = contents;
  let signers = await signingEndpoints.find(contents, signed);
  let delivery = deliveryFor(signers, messages, trace);
  // Where an endpoint has changed since it was looked up, the payload is judged once more as it is now.
  while (!(await inbox.store(delivery))) {
    signers = await signingEndpoints.findAnew(contents, signed);
    delivery = deliveryFor(signers, messages, trace);
  }
  await applyDeliveryReceipts(db, signers ?? [], receipts);
  await applyChangedAddresses({ db, keyring }, signers ?? [], messages);
  await applyOptOuts({ db, keyring }, signers ?? [], messages);
  return delivery.length;
}

type SignedReceipt = Omit<DeliveryReceipt, 'phone_number_id'> & Pick<ResolvedReceipt, 'endpoint_ids'>;

/** The channel tells what became of messages that were sent. */
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

/** The receipts with our ids: the channel may name a message by its own id alone. The others are about messages of nobody here. */
async function resolveReceipts(db: Database, receipts: readonly SignedReceipt[]): Promise<ResolvedReceipt[]> {
  const unnamed = receipts.filter(({ id }) => id === null);
  const found = unnamed.length === 0 ? [] : await db.system.run(findReceiptMessages(unnamed));
  const ids = new Map(found.map(({ channel_id, id }) => [channel_id, id]));
  return receipts.flatMap(({ id, recipient: _, ...receipt }) => {
    const named = id ?? ids.get(receipt.channel_id);
    return named === undefined ? [] : [{ ...receipt, id: named }];
  });
}

/** Whoever gets a number next must not be taken for the one who had it, so this does not wait for the runtime. */
async function applyChangedAddresses(
  { db, keyring }: Pick<WebhookServices, 'db' | 'keyring'>,
  signers: readonly SigningEndpoint[],
  messages: readonly InboundMessage[],
): Promise<void> {
  for (const { phone_number_id, message_id, changed_address } of messages) {
    const endpoint = signers.find((signer) => signer.phone_number_id === phone_number_id);
    if (!changed_address || !endpoint) continue;
    await applyChangedAddress(
      keyring,
      db.tenant(endpoint.tenant_id),
      { endpoint_id: endpoint.id, message_id },
      changed_address,
    );
  }
}

/** A sender who wrote STOP is not written to, also while the runtime is away or a person has the conversation. */
async function applyOptOuts(
  { db, keyring }: Pick<WebhookServices, 'db' | 'keyring'>,
  signers: readonly SigningEndpoint[],
  messages: readonly InboundMessage[],
): Promise<void> {
  for (const { phone_number_id, message_id, opt_out_command } of messages) {
    const endpoint = signers.find((signer) => signer.phone_number_id === phone_number_id);
    if (!opt_out_command || !endpoint) continue;
    const message = { endpoint_id: endpoint.id, message_id };
    await applyOptOut(keyring, db.tenant(endpoint.tenant_id), message, opt_out_command);
  }
}

function deliveryFor(
  signers: readonly SigningEndpoint[] | undefined,
  messages: readonly InboundMessage[],
  trace: Trace | undefined,
): Delivery {
  if (!signers) throw unauthenticated('The signature does not match');
  const endpoints = new Map(signers.map((endpoint) => [endpoint.phone_number_id, endpoint]));
  return messages.flatMap(({ phone_number_id, changed_address: _, opt_out_command: __, ...message }) => {
    const endpoint = endpoints.get(phone_number_id);
    if (!endpoint) return [];
    const { id: endpoint_id, tenant_id, app_secret_hash } = endpoint;
    return [{ endpoint_id, tenant_id, app_secret_hash, trace, ...message }];
  });
}
