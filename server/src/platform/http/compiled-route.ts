import type { FastifyReply, FastifyRequest } from 'fastify';
import { getInstanceTenant } from '../../instances/instances.ts';
import type { Services } from '../../services.ts';
import type { Actor } from '../actor.ts';
import type { Operation, ReplyOf } from '../contract/operation.ts';
import type { Route } from './handler.ts';
import { type RequestParts, requestValidator } from './validation.ts';

/** Looks at what handlers return; tests refuse what an operation does not declare. */
export type CheckReply = (operation: Operation, status: number, body: unknown) => void;

/** Who makes an admitted request, and the exchange that it came in; a tool's call came in none of its own. */
export interface Admitted {
  actor: Actor;
  request?: FastifyRequest;
  reply?: FastifyReply;
  isStillAdmitted?: () => Promise<boolean>;
  onRefused?: (listener: () => void) => () => void;
}

/** An operation with its compiled checks, to be carried out for whoever was admitted, over plain HTTP or as a tool. */
export interface CompiledRoute {
  operation: Operation;
  /**
   * Checks the request (ValidationError) and runs the handler in the tenant that the request is about.
   * @returns undefined when the handler has answered by itself (a stream)
   */
  carryOut: (parts: RequestParts, admitted: Admitted) => Promise<ReplyOf<Operation> | undefined>;
}

/** For handlers that look at a header such as Accept: they find none. */
const withoutHeaders = { headers: {} } as FastifyRequest;

/** For handlers that go on for long; as tools there are none. */
const justAdmitted = () => Promise.resolve(true);
const neverRefused = () => () => {};

/** Compiles what an operation's requests are checked by, once. */
export function compileRoute(
  { operation, run }: Route,
  { services, checkReply }: { services: Services; checkReply?: CheckReply },
): CompiledRoute {
  const validate = requestValidator(operation);
  return {
    operation,
    carryOut: async (parts, admitted) => {
      const { actor, request = withoutHeaders, reply } = admitted;
      const { isStillAdmitted = justAdmitted, onRefused = neverRefused } = admitted;
      const { params, query, body } = validate(parts);
      const tenant_id = await tenantOf(services, actor, params);
      const q = services.db.tenant(tenant_id);
      // Field by field: spread together it is ten times as large.
      const call = {
        services,
        actor,
        tenant_id,
        q,
        params,
        query,
        body,
        request,
        reply,
        isStillAdmitted,
        onRefused,
      };
      const answer = await run(call as Parameters<typeof run>[0]);
      if (answer) checkReply?.(operation, answer.status, answer.body);
      return answer;
    },
  };
}

/** The tenant that a request is about: the caller's, or that of the instance in the path (404 when there is none). */
async function tenantOf(services: Services, actor: Actor, params: unknown): Promise<string> {
  if ('tenant_id' in actor) return actor.tenant_id;
  const { instance_id } = params as { instance_id?: string };
  if (actor.kind !== 'operations' || instance_id === undefined) return '';
  return getInstanceTenant(services.db.system, instance_id);
}
