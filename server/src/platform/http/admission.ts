import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import { ServiceError } from '../errors.ts';
import { refusal } from './authorize.ts';
import type { LongLivedResponses } from './long-lived-responses.ts';
import type { RateLimit, RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
}

export interface Authenticated {
  actor: Actor;
  /** The caller's own limit; runtimes and operators have none. */
  rateLimit?: RateLimit;
  /** The login of a user, whose requests are counted together. */
  login_id?: string;
}

/** Finds out who calls (contract, section 3), or rejects with 401. */
export interface Authenticator {
  authenticate(
    operation: Operation,
    request: Pick<FastifyRequest, 'headers' | 'params' | 'clientAddress'>,
  ): Promise<Authenticated>;
}

/** Checks that a request passes on its way to its handler. */
export interface Guards {
  authenticator: Authenticator;
  rateLimits: RateLimits;
  longLivedResponses: LongLivedResponses;
  /** Further hooks of an operation, such as a credential that stands in the body. */
  hooksOf: (operation: Operation) => Pick<RouteShorthandOptions, 'preValidation' | 'errorHandler'>;
}

/** 401, then 429, then 403; before the body is read. */
export async function admit(
  operation: Operation,
  guards: Guards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { actor, rateLimit, login_id } = await guards.authenticator.authenticate(operation, request);
  request.actor = actor;
  const counted = actor.kind === 'api_key' ? actor.key_id : login_id;
  if (counted !== undefined && rateLimit) {
    const policy = actor.kind === 'api_key' ? 'key' : 'login';
    const { headers, refused } = await guards.rateLimits.count(policy, counted, rateLimit);
    reply.headers(headers);
    if (refused) throw refused;
  }
  const refused = refusal(operation, actor);
  if (refused) throw refused;
}

/** Repeats the checks for a response that lasts, without counting: a key may be revoked meanwhile, or a session end. */
export async function isAdmitted(
  operation: Operation,
  { authenticator }: Guards,
  request: FastifyRequest,
): Promise<boolean> {
  try {
    const { actor } = await authenticator.authenticate(operation, request);
    return refusal(operation, actor) === undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthenticated') return false;
    throw error;
  }
}
