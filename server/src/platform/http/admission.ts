import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../access/authenticate.ts';
import type { Services } from '../../services.ts';
import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import { ServiceError } from '../errors.ts';
import { refusal } from './authorize.ts';
import type { CheckReply } from './compiled-route.ts';
import type { LongLivedResponses } from './long-lived-responses.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
}

/** What a request passes on its way to its handler. */
export interface Gate {
  services: Services;
  checkReply?: CheckReply;
  authenticator: Authenticator;
  rateLimits: RateLimits;
  longLivedResponses: LongLivedResponses;
}

/** 401, then 429, then 403; before the body is read. */
export async function admit(
  operation: Operation,
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { actor, rateLimit } = await gate.authenticator.authenticate(
    operation,
    request.headers,
    request.params,
  );
  request.actor = actor;
  if (actor.kind === 'api_key' && rateLimit) {
    const { headers, refused } = await gate.rateLimits.count(actor.key_id, rateLimit);
    reply.headers(headers);
    if (refused) throw refused;
  }
  const refused = refusal(operation, actor);
  if (refused) throw refused;
}

/** The same without counting: of a request that lasts, whose key may be revoked meanwhile, or its session or role end. */
export async function isAdmitted(
  operation: Operation,
  { authenticator }: Gate,
  { headers, params }: FastifyRequest,
): Promise<boolean> {
  try {
    const { actor } = await authenticator.authenticate(operation, headers, params);
    return refusal(operation, actor) === undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthenticated') return false;
    throw error;
  }
}
