import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { abortOnDisconnect, route } from '../platform/http/handler.ts';
import * as contract from './media.contract.ts';
import { type MediaServices, openMedia } from './media.ts';

export const mediaRoutes = [
  route(contract.getConversationMedia, async ({ q, params, request, reply }, services: MediaServices) => {
    const { media_id, ...owner } = params;
    const opened = await openMedia(services, q, owner, media_id, abortOnDisconnect(reply));
    return sendMedia(request, reply, opened);
  }),

  route(contract.getInstanceMedia, async ({ q, sender, params, request, reply }, services: MediaServices) => {
    const { media_id, ...instance } = params;
    const owner = sender ? { conversation_id: sender.conversation_id } : instance;
    const opened = await openMedia(services, q, owner, media_id, abortOnDisconnect(reply));
    return sendMedia(request, reply, opened);
  }),
];

/** Resolves once the content is sent, to hold the permit. Sent as an attachment, so no browser opens a stranger's file. */
async function sendMedia(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { mime_type, size, content, filename }: Awaited<ReturnType<typeof openMedia>>,
): Promise<undefined> {
  const name = filename === undefined ? '' : `; filename*=UTF-8''${extendedValue(filename)}`;
  reply.headers({
    'content-type': mime_type ?? 'application/octet-stream',
    'content-disposition': `attachment${name}`,
    ...(size !== null && { 'content-length': size }),
  });
  if (method === 'HEAD') {
    content.destroy();
    // An empty stream keeps content-length.
    await reply.send(Readable.from([]));
    return undefined;
  }
  // The status is sent already, so the client only sees a truncated body.
  await Promise.resolve(reply.send(content)).catch(() => {});
  return undefined;
}

/** RFC 8187, section 3.2.1. */
const extendedValue = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
