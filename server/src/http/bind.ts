import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import { getInstanceTenant } from '../domain/instances.ts';
import type { Services } from '../domain/services.ts';
import type { Authenticator } from './authenticate.ts';
import { refusal } from './authorize.ts';
import type { Route } from './handler.ts';
import type { RateLimits } from './rate-limits.ts';
import { requestValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export interface Gate {
  services: Services;
  authenticator: Authenticator;
  rateLimits: RateLimits;
  /** Looks at what handlers return; tests refuse what an operation does not declare. */
  checkReply?: (operation: Operation, status: number, body: unknown) => void;
}

/** Makes a Fastify route of an operation and its handler. Refuses in the contract's order (section 1). */
export function bind(app: FastifyInstance, { operation, run }: Route, gate: Gate): void {
  const validate = requestValidator(operation);
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    onRequest: (request, reply) => admit(operation, gate, request, reply),
    handler: async (request, reply) => {
      const parts = validate({ params: request.params, query: request.query, body: request.body });
      const tenant_id = await tenantOf(gate.services, request.actor, parts.params);
      const result = await run({
        ...parts,
        services: gate.services,
        actor: request.actor,
        tenant_id,
        q: gate.services.db.tenant(tenant_id),
        request,
        reply,
      } as Parameters<typeof run>[0]);
      if (!result) return reply;
      gate.checkReply?.(operation, result.status, result.body);
      reply.code(result.status).headers(result.headers ?? {});
      return result.body === null ? reply.send() : reply.send(result.body);
    },
  });
}

/** 401, then 429, then 403; before the body is read. */
async function admit(
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

/** The tenant that a request is about: the caller's, or that of the instance in the path (404 when there is none). */
async function tenantOf(services: Services, actor: Actor, params: unknown): Promise<string> {
  if ('tenant_id' in actor) return actor.tenant_id;
  const { instance_id } = params as { instance_id?: string };
  if (actor.kind !== 'operations' || instance_id === undefined) return '';
  return getInstanceTenant(services.db.system, instance_id);
}
