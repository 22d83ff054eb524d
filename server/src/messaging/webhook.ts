import { unauthenticated } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Delivery, Inbox } from './inbox.ts';
import type { Sender, SigningEndpoint, SigningEndpoints } from './signing-endpoints.ts';
import { type InboundMessage, readPayload } from './webhook-payload.ts';
import { readSignature, SignedBytes } from './webhook-signature.ts';
import type { WebhookThrottle } from './webhook-throttle.ts';

export interface WebhookServices {
  signingEndpoints: SigningEndpoints;
  webhookThrottle: WebhookThrottle;
  inbox: Inbox;
  metrics: Metrics;
}

/** Bytes as they came, with the header of their signature and the caller's address. */
export interface ReceivedPayload {
  bytes: Buffer;
  signature: string | string[] | undefined;
  address: string;
}

/**
 * Takes a signed payload in. Messages for an endpoint whose own secret signed it are in the inbox before this resolves
 * (contract, section 7). Throws 401 when no secret that counts signed it, 429 when too many such came from the address.
 */
export async function receiveWebhook(services: WebhookServices, received: ReceivedPayload): Promise<void> {
  const signature = readSignature(received.signature);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = new SignedBytes(received.bytes, signature);
  await services.webhookThrottle.attempt(received.address, () => takeIn(services, signed));
}

async function takeIn(services: WebhookServices, signed: SignedBytes): Promise<void> {
  const { metrics } = services;
  const payload = readPayload(signed.bytes);
  const { messages, statuses, unusable } = payload ?? { messages: [], statuses: 0, unusable: 1 };
  const stored = await store(services, signed, payload ?? NOBODY, messages);
  metrics.countWebhook('unknown_number', messages.length - stored);
  metrics.countWebhook('status', statuses);
  metrics.countWebhook('unparseable', unusable);
}

/** The sender of what is no JSON object. */
const NOBODY: Sender = { phone_number_ids: [], account_ids: [] };

/** Stores the messages for registered numbers, and returns how many they are. Throws 401 when no secret that counts signed. */
async function store(
  { signingEndpoints, inbox }: WebhookServices,
  signed: SignedBytes,
  sender: Sender,
  messages: readonly InboundMessage[],
): Promise<number> {
  let delivery = deliveryFor(await signingEndpoints.find(sender, signed), messages);
  // Where an endpoint has changed since it was looked up, the payload is judged once more as it is now.
  while (!(await inbox.store(delivery))) {
    delivery = deliveryFor(await signingEndpoints.findAnew(sender, signed), messages);
  }
  return delivery.length;
}

function deliveryFor(
  signers: readonly SigningEndpoint[] | undefined,
  messages: readonly InboundMessage[],
): Delivery {
  if (!signers) throw unauthenticated('The signature does not match');
  const endpoints = new Map(signers.map((endpoint) => [endpoint.phone_number_id, endpoint]));
  return messages.flatMap(({ phone_number_id, ...message }) => {
    const endpoint = endpoints.get(phone_number_id);
    if (!endpoint) return [];
    return [{ endpoint_id: endpoint.id, app_secret_hash: endpoint.app_secret_hash, ...message }];
  });
}
