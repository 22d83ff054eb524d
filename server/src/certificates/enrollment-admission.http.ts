import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../platform/actor.ts';
import { unauthenticated } from '../platform/errors.ts';
import { sendError } from '../platform/http/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import { findEnrollmentToken } from './enrollment-tokens.ts';

/**
 * The hooks of a route whose caller may hold nothing but an enrollment token, which is in the body (contract, section
 * 8). Until that was read nobody is known; whatever else is wrong with the request, nobody is told.
 */
export const enrollmentHooks = (services: Services) => ({
  preValidation: async (request: FastifyRequest): Promise<void> => {
    if (request.actor.kind === 'anonymous') request.actor = await holderOfToken(services, request);
  },
  errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const isOfBody = error.code?.startsWith('FST_ERR_CTP_') && request.actor.kind === 'anonymous';
    return sendError(isOfBody ? unauthenticated() : error, request, reply);
  },
});

async function holderOfToken(services: Services, { params, body }: FastifyRequest): Promise<Actor> {
  const { instance_id } = params as { instance_id: string };
  const { enrollment_token } = (body ?? {}) as { enrollment_token?: unknown };
  if (typeof enrollment_token !== 'string') throw unauthenticated();
  const hash = sha256(enrollment_token);
  const token = await findEnrollmentToken(services.db.system, hash, services.clock());
  if (token?.instance_id !== instance_id.toLowerCase()) throw unauthenticated();
  return { kind: 'instance', tenant_id: token.tenant_id, instance_id: token.instance_id };
}
