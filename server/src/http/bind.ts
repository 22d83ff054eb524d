import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import type { Services } from '../domain/services.ts';
import { ServiceError } from '../errors.ts';
import { JsonList } from '../json-list.ts';
import { JsonText } from '../json-text.ts';
import type { Authenticator } from './authenticate.ts';
import { refusal } from './authorize.ts';
import type { CheckReply, CompiledRoute } from './compiled-route.ts';
import { enrollmentHooks } from './enrollment-admission.ts';
import { endTurn } from './large-bodies.ts';
import { largeJson } from './large-json.ts';
import type { LongLivedResponses } from './long-lived-responses.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** What a request passes on its way to its handler. */
export interface Gate {
  services: Services;
  checkReply?: CheckReply;
  authenticator: Authenticator;
  rateLimits: RateLimits;
  longLivedResponses: LongLivedResponses;
}

/** Makes a Fastify route of an operation and its handler. Refuses in the contract's order (section 1). */
export function bind(app: FastifyInstance, { operation, carryOut }: CompiledRoute, gate: Gate): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    onRequest: (request, reply) => admit(operation, gate, request, reply),
    ...(operation.method !== 'GET' && { onSend: endTurn }),
    ...(operation.credential === 'enrollment' && enrollmentHooks(gate.services)),
    handler: async (request, reply) => {
      const { actor, params, query, body } = request;
      const isStillAdmitted = () => isAdmitted(operation, gate, request);
      const onRefused = (listener: () => void) =>
        gate.longLivedResponses.watch('tenant_id' in actor ? actor.tenant_id : '', isStillAdmitted, listener);
      const admitted = { actor, request, reply, isStillAdmitted, onRefused };
      const result = await carryOut({ params, query, body }, admitted);
      if (!result) return reply;
      reply.code(result.status).headers(result.headers ?? {});
      const answer: unknown = result.body;
      if (answer === null) return reply.send();
      // Text and bytes, which name their own type.
      if (typeof answer !== 'object' || Buffer.isBuffer(answer)) return reply.send(answer);
      if (answer instanceof JsonList) return sendJson(reply, answer.whole ?? piecesFor(request, answer));
      return sendJson(reply, (answer instanceof JsonText ? answer : await largeJson(answer)).content);
    },
  });
}

/** None for HEAD: they would all be read, after the answer. */
const piecesFor = ({ method }: FastifyRequest, list: JsonList<unknown>): AsyncIterable<string> =>
  method === 'HEAD' ? Readable.from([]) : list.pieces();

const sendJson = (
  reply: FastifyReply,
  content: JsonText<unknown>['content'] | AsyncIterable<string>,
): FastifyReply =>
  reply
    .type(JSON_TYPE)
    .send(typeof content === 'string' || Buffer.isBuffer(content) ? content : Readable.from(content));

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
async function isAdmitted(
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
