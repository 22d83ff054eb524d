import { unauthenticated } from '../platform/errors.ts';
import type { Metrics, WebhookOutcome } from '../platform/metrics.ts';
import type { Delivery, Inbox } from './inbox.ts';
import type { Signers, SigningEndpoints } from './signing-endpoints.ts';
import { type InboundMessage, readPayload } from './webhook-payload.ts';
import { readSignature, type Signed } from './webhook-signature.ts';

export interface WebhookServices {
  signingEndpoints: SigningEndpoints;
  inbox: Inbox;
  metrics: Metrics;
}

/**
 * Takes a signed payload in. Messages for an endpoint whose own secret signed it are in the inbox before this resolves
 * (contract, section 7). Throws 401 when no secret that counts signed it.
 */
export async function receiveWebhook(
  services: WebhookServices,
  bytes: Buffer,
  signatureHeader: string | string[] | undefined,
): Promise<void> {
  const signature = readSignature(signatureHeader);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = { bytes, signature };
  const { areNamed, counts } = await storeNamed(services, signed);
  // It may take seconds, which nobody else's payload has to wait for.
  if (!areNamed && !(await services.signingEndpoints.isAnyones(signed))) throw doesNotMatch();
  for (const [outcome, count] of counts) services.metrics.countWebhook(outcome, count);
}

const doesNotMatch = () => unauthenticated('The signature does not match');

interface Taken {
  /** Whether it names registered numbers: it counts for those alone then, so another endpoint's secret does not help it. */
  areNamed: boolean;
  /** What became of it besides what was stored. */
  counts: readonly (readonly [WebhookOutcome, number])[];
}

/** Stores what is for registered numbers. Throws 401 when it names some, and their secrets did not sign it. */
async function storeNamed({ signingEndpoints, inbox }: WebhookServices, signed: Signed): Promise<Taken> {
  const payload = readPayload(signed.bytes);
  if (!payload) return { areNamed: false, counts: [['unparseable', 1]] };
  const { phone_number_ids, messages, statuses, unusable } = payload;
  let signers = await signingEndpoints.find(phone_number_ids, signed);
  let delivery = deliveryFor(signers, messages);
  // Where an endpoint has changed since it was looked up, the payload is judged once more as it is now.
  while (!(await inbox.store(delivery))) {
    signers = await signingEndpoints.findAnew(phone_number_ids, signed);
    delivery = deliveryFor(signers, messages);
  }
  return {
    areNamed: signers.areNamed,
    counts: [
      ['unknown_number', messages.length - delivery.length],
      ['status', statuses],
      ['unparseable', unusable],
    ],
  };
}

function deliveryFor({ areNamed, signed }: Signers, messages: readonly InboundMessage[]): Delivery {
  if (areNamed && signed.length === 0) throw doesNotMatch();
  const endpoints = new Map(signed.map((endpoint) => [endpoint.phone_number_id, endpoint]));
  return messages.flatMap(({ phone_number_id, ...message }) => {
    const endpoint = endpoints.get(phone_number_id);
    if (!endpoint) return [];
    return [{ endpoint_id: endpoint.id, app_secret_hash: endpoint.app_secret_hash, ...message }];
  });
}
