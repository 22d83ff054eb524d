import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import { expectVerifyToken } from './channel-endpoints.ts';
import * as contract from './webhook.contract.ts';
import { receiveWebhook } from './webhook.ts';

export const webhookRoutes = [
  route(contract.verifyWebhook, async ({ query, reply }, services: Services) => {
    const { 'hub.mode': mode = 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    await expectVerifyToken(services.db.system, services.keyring, 'chatapp', { mode, token });
    await reply.type('text/plain; charset=utf-8').send(challenge ?? '');
    return undefined;
  }),

  route(contract.receiveWebhook, async ({ body, request }, services: Services) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await receiveWebhook(services, bytes, request.headers['x-hub-signature-256']);
    return ok({});
  }),
];
