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
  /** Operators have none. */
  rateLimit?: RateLimit;
  /** A user's requests are counted per login. */
  login_id?: string;
}

/** Identifies the caller (contract, section 3); rejects with 401. */
export interface Authenticator {
  authenticate(
    operation: Operation,
    request: Pick<FastifyRequest, 'headers' | 'params' | 'clientAddress'>,
  ): Promise<Authenticated>;
}

export interface Guards {
  authenticator: Authenticator;
  rateLimits: RateLimits;
  longLivedResponses: LongLivedResponses;
  /** Further hooks, for example for a credential in the body. */
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
  const [policy, counted] = countedAs(actor, login_id);
  if (counted !== undefined && rateLimit) {
    const { headers, refused } = await guards.rateLimits.count(policy, counted, rateLimit);
    reply.headers(headers);
    if (refused) throw refused;
  }
  const refused = refusal(operation, actor);
  if (refused) throw refused;
}

function countedAs(actor: Actor, login_id: string | undefined): [policy: string, id: string | undefined] {
  if (actor.kind === 'api_key') return ['key', actor.key_id];
  if (actor.kind === 'instance') return ['instance', actor.instance_id];
  return ['login', login_id];
}

/**
 * Repeats the checks without counting for a long-lived response: a key may be revoked or a session may end meanwhile.
 */
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
