import { unauthenticated } from '../errors.ts';
import type { Services } from './services.ts';
import type { Signers } from './signing-endpoints.ts';
import { type InboundMessage, readPayload } from './webhook-payload.ts';
import { readSignature, type Signed } from './webhook-signature.ts';

/**
 * Takes a signed payload in: what is for an endpoint whose own secret signed it is stored, with a job for each message
 * to be forwarded, before this resolves (contract, section 7). Throws 401 when no secret that counts signed it.
 */
export async function receiveWebhook(
  services: Services,
  bytes: Buffer,
  signatureHeader: string | string[] | undefined,
): Promise<void> {
  const { metrics, signingEndpoints } = services;
  const signature = readSignature(signatureHeader);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = { bytes, signature };
  const payload = readPayload(bytes);
  const numbers = payload?.phone_number_ids ?? [];
  let signers = await signingEndpoints.find(numbers, signed);
  await refuseUnsigned(services, signed, signers);
  if (!payload) return metrics.countWebhook('unparseable');
  // Where an endpoint has changed since it was looked up, the payload is judged once more as it is now.
  while (!(await storeMessages(services, payload.messages, signers))) {
    signers = await signingEndpoints.findAnew(numbers, signed);
    await refuseUnsigned(services, signed, signers);
  }
  metrics.countWebhook('status', payload.statuses);
  metrics.countWebhook('unparseable', payload.unusable);
}

async function refuseUnsigned(
  { signingEndpoints }: Services,
  signed: Signed,
  signers: Signers,
): Promise<void> {
  // A payload that names registered numbers counts for those alone, so another endpoint's secret does not help it.
  const isSigned = signers.areNamed ? signers.signed.length > 0 : await signingEndpoints.isAnyones(signed);
  if (!isSigned) throw unauthenticated('The signature does not match');
}

/** @returns false when an endpoint was not any more what the signers say; what was for it is not stored then */
async function storeMessages(
  { inbox, metrics }: Services,
  messages: readonly InboundMessage[],
  { signed }: Signers,
): Promise<boolean> {
  const endpoints = new Map(signed.map((endpoint) => [endpoint.phone_number_id, endpoint]));
  const delivery = messages.flatMap(({ phone_number_id, ...message }) => {
    const endpoint = endpoints.get(phone_number_id);
    if (!endpoint) return [];
    return [{ endpoint_id: endpoint.id, app_secret_hash: endpoint.app_secret_hash, ...message }];
  });
  if (delivery.length > 0 && !(await inbox.store(delivery))) return false;
  metrics.countWebhook('unknown_number', messages.length - delivery.length);
  return true;
}
