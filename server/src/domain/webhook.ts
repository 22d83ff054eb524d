import { listEndpointsOfNumbers } from '../db/channel-endpoints.ts';
import { insertMessages, type NewChannelMessage } from '../db/channel-messages.ts';
import { systemScope } from '../db/database.ts';
import { unauthenticated } from '../errors.ts';
import { giveUpAt } from './channel-messages.ts';
import type { Services } from './services.ts';
import { readPayload, type WebhookPayload } from './webhook-payload.ts';
import { endpointsThatSigned, isSignedByAny, readSignature } from './webhook-signature.ts';

const CHANNEL = 'chatapp';

/**
 * Takes a signed payload in: what is for an endpoint whose own secret signed it is stored, with a job for each message
 * to be forwarded, before this resolves (contract, section 7). Throws 401 when no secret that counts signed it.
 */
export async function receiveWebhook(
  services: Services,
  bytes: Buffer,
  signatureHeader: string | string[] | undefined,
): Promise<void> {
  const { db, metrics } = services;
  const signature = readSignature(signatureHeader);
  if (!signature) throw unauthenticated('The signature is missing or malformed');
  const signed = { bytes, signature };
  const payload = readPayload(bytes);
  const named = payload ? await listEndpointsOfNumbers(db.system, CHANNEL, payload.phone_number_ids) : [];
  // A payload that names registered numbers counts for those alone, so another endpoint's secret does not help it.
  const accepted = await endpointsThatSigned(services, signed, named);
  const isSigned = named.length > 0 ? accepted.length > 0 : await isSignedByAny(services, CHANNEL, signed);
  if (!isSigned) throw unauthenticated('The signature does not match');
  if (!payload) return metrics.countWebhook('unparseable');
  const endpointIds = new Map(accepted.map(({ phone_number_id, id }) => [phone_number_id, id]));
  await storeMessages(services, payload, endpointIds);
  metrics.countWebhook('status', payload.statuses);
  metrics.countWebhook('unparseable', payload.unusable);
}

async function storeMessages(
  services: Services,
  payload: WebhookPayload,
  endpointIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { db, queue, metrics, clock } = services;
  const messages = payload.messages.flatMap(({ phone_number_id, ...message }): NewChannelMessage[] => {
    const endpoint_id = endpointIds.get(phone_number_id);
    return endpoint_id === undefined ? [] : [{ endpoint_id, ...message }];
  });
  metrics.countWebhook('unknown_number', payload.messages.length - messages.length);
  if (messages.length === 0) return;
  const now = clock();
  const stored = await db.transaction(systemScope, async (tx) => {
    const rows = await insertMessages(tx, messages, now, giveUpAt(now));
    await queue.enqueue(
      tx,
      rows.map(({ id, tenant_id, endpoint_id, external_id }) => ({
        name: 'forward_message',
        data: { tenant_id, channel_message_id: id },
        conversation: `${endpoint_id}:${external_id}`,
      })),
    );
    return rows.length;
  });
  metrics.countWebhook('stored', stored);
  metrics.countWebhook('duplicate', messages.length - stored);
}
