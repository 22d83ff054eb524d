import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../platform/actor.ts';
import type { Database } from '../platform/db/database.ts';
import { unauthenticated } from '../platform/errors.ts';
import { sendError } from '../platform/http/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { sha256 } from '../secrets/sealing.ts';
import * as contract from './enrollment.contract.ts';
import { type EnrollmentServices, enroll } from './enrollment.ts';
import { findEnrollmentToken } from './enrollment-tokens.db.ts';
import { requestEnrollmentToken } from './enrollment-tokens.ts';

export const enrollmentRoutes = [
  route(contract.enrollInstance, async ({ q, params, body }, services: EnrollmentServices) =>
    ok(await enroll(services, q, params.instance_id, body)),
  ),

  route(contract.createEnrollmentToken, async ({ q, params }) =>
    created(await requestEnrollmentToken(q, params.instance_id)),
  ),
];

/**
 * The only credential may be the token in the body (contract, section 8). Until it is verified, every fault is the same
 * 401.
 */
export const enrollmentHooks = (db: Database) => ({
  preValidation: async (request: FastifyRequest): Promise<void> => {
    if (request.actor.kind === 'anonymous') request.actor = await holderOfToken(db, request);
  },
  errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const isBodyFault = error.code?.startsWith('FST_ERR_CTP_') && request.actor.kind === 'anonymous';
    return sendError(isBodyFault ? unauthenticated() : error, request, reply);
  },
});

async function holderOfToken(db: Database, { params, body }: FastifyRequest): Promise<Actor> {
  const { instance_id } = params as { instance_id: string };
  const { enrollment_token } = (body ?? {}) as { enrollment_token?: unknown };
  if (typeof enrollment_token !== 'string') throw unauthenticated();
  const token = await db.system.run(findEnrollmentToken(sha256(enrollment_token)));
  if (token?.instance_id !== instance_id.toLowerCase()) throw unauthenticated();
  return { kind: 'instance', tenant_id: token.tenant_id, instance_id: token.instance_id };
}
