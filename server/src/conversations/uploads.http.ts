import type { FastifyRequest } from 'fastify';
import type { TenantDb } from '../platform/db/queryable.ts';
import { created, route } from '../platform/http/handler.ts';
import type { ConversationServices } from './conversations.ts';
import * as contract from './uploads.contract.ts';
import { storeUpload } from './uploads.ts';

interface UploadCall {
  q: TenantDb;
  params: { conversation_id: string; instance_id?: string };
  request: FastifyRequest;
}

async function upload({ q, params, request }: UploadCall, { keyring }: ConversationServices) {
  const header = request.headers['x-filename'];
  // A request without a body has no bytes.
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return created(await storeUpload(keyring, q, params, bytes, Array.isArray(header) ? header[0] : header));
}

export const uploadRoutes = [
  route(contract.uploadMedia, upload),
  route(contract.uploadInstanceMedia, upload),
];
