import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from '../platform/http/etag.ts';
import { created, notModified, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import * as contract from './ca.contract.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { MAX_AGE_MS, type RevocationListKeeper } from './revocation-lists.ts';

const BUNDLE_MAX_AGE_SECONDS = 60;

interface CaServices {
  authority: CertificateAuthority;
  revocationLists: RevocationListKeeper;
}

export const caRoutes = [
  route(contract.getCaBundle, async ({ request, reply }, { authority }: CaServices) => {
    const pem = await authority.trustBundle();
    return sendPem(request, reply, { pem, sha256: sha256(pem) }, BUNDLE_MAX_AGE_SECONDS);
  }),

  route(contract.getCaCrl, async ({ request, reply }, { revocationLists }: CaServices) =>
    sendPem(request, reply, await revocationLists.lists(), MAX_AGE_MS / 1000),
  ),

  route(contract.rotateCa, async (_call, { authority }: CaServices) => {
    const { serial, not_after } = await authority.replaceIssuingKey();
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
