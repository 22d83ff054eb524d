import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { admit, type Guards, isAdmitted } from './admission.ts';
import { answer } from './answer.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { releasePermit } from './large-bodies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Refusals are in the contract's order (section 1). */
export function bind(app: FastifyInstance, route: CompiledRoute, guards: Guards): void {
  const { operation, execute } = route;
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    ...(operation.maxBodyMiB !== undefined && { bodyLimit: operation.maxBodyMiB * 1024 * 1024 }),
    onRequest: async (request, reply) => {
      await admit(operation, guards, request, reply);
      await hold(route, request, reply);
    },
    ...(operation.method !== 'GET' && { onSend: releasePermit }),
    ...guards.hooksOf(operation),
    handler: async (request, reply) => {
      const { actor, params, query, body } = request;
      const isStillAdmitted = () => isAdmitted(operation, guards, request);
      const onRefused = (listener: () => void) =>
        guards.longLivedResponses.watch(
          'tenant_id' in actor ? actor.tenant_id : '',
          isStillAdmitted,
          listener,
        );
      const admitted = { actor, request_id: request.id, request, reply, isStillAdmitted, onRefused };
      const result = await execute({ params, query, body }, admitted);
      if (!result) return reply;
      return answer(request, reply, result);
    },
  });
}

/** Holds the permit of a load that is taken before the body is read, until the exchange is over. */
async function hold({ enter }: CompiledRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const release = await enter?.(request.actor, request.params);
  if (!release) return;
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}
