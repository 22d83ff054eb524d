import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from '../platform/http/etag.ts';
import { created, notModified, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import * as contract from './ca.contract.ts';
import { LOOK_AFTER_MS } from './revocation-lists.ts';

/** How long a copy of the bundle may be used without asking again. */
const BUNDLE_MAX_AGE_SECONDS = 60;

export const caRoutes = [
  route(contract.getCaBundle, async ({ request, reply }, services: Services) => {
    const pem = await services.authority.trustBundle(services.clock());
    return sendPem(request, reply, { pem, sha256: sha256(pem) }, BUNDLE_MAX_AGE_SECONDS);
  }),

  route(contract.getCaCrl, async ({ request, reply }, services: Services) => {
    const lists = await services.revocationLists.lists(services.clock());
    return sendPem(request, reply, lists, LOOK_AFTER_MS / 1000);
  }),

  route(contract.rotateCa, async (_call, services: Services) => {
    const { serial, not_after } = await services.authority.replaceIssuingKey(services.clock());
    return created({ issuing_certificate_serial: serial, not_after });
  }),
];

async function sendPem(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: { pem: string; sha256: Buffer },
  maxAgeSeconds: number,
) {
  const etag = etagOf(answer.sha256);
  const headers = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}` };
  if (isKnown(request.headers['if-none-match'], etag)) return notModified(headers);
  await reply.headers(headers).type('application/x-pem-file').send(answer.pem);
  return undefined;
}
