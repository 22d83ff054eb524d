import type { Database } from '../platform/db/database.ts';
import { ok, route } from '../platform/http/handler.ts';
import { traceOf } from '../platform/http/request-trace.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { expectVerifyToken } from './channel-endpoints.ts';
import * as contract from './webhook.contract.ts';
import { receiveWebhook, type WebhookServices } from './webhook.ts';

interface VerificationServices {
  db: Database;
  keyring: Keyring;
}

export const webhookRoutes = [
  route(contract.verifyWebhook, async ({ query, reply }, { db, keyring }: VerificationServices) => {
    const { 'hub.mode': mode = 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    await expectVerifyToken(db.system, keyring, 'chatapp', { mode, token });
    await reply.type('text/plain; charset=utf-8').send(challenge ?? '');
    return undefined;
  }),

  route(contract.receiveWebhook, async ({ body, request }, services: WebhookServices) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const signature = request.headers['x-hub-signature-256'];
    await receiveWebhook(services, {
      bytes,
      signature,
      address: request.clientAddress,
      trace: traceOf(request),
    });
    return ok({});
  }),
];
