import * as contract from '../contract/webhook.ts';
import { expectVerifyToken } from '../domain/channel-endpoints.ts';
import { receiveWebhook } from '../domain/webhook.ts';
import { ok, route } from './handler.ts';

export const webhookRoutes = [
  route(contract.verifyWebhook, async ({ services, query, reply }) => {
    const { 'hub.mode': mode = 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    await expectVerifyToken(services.db.system, services.keyring, 'chatapp', { mode, token });
    await reply.type('text/plain; charset=utf-8').send(challenge ?? '');
    return undefined;
  }),

  route(contract.receiveWebhook, async ({ services, body, request }) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await receiveWebhook(services, bytes, request.headers['x-hub-signature-256']);
    return ok({});
  }),
];
