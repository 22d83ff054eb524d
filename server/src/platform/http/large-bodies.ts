import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { rateLimited } from '../errors.ts';
import { networkOf } from '../load/networks.ts';
import { FairSemaphore } from '../load/semaphore.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of one whose body is large. */
    endTurn?: () => void;
  }
}

const LARGE_BYTES = 64 * 1024;
/** Of all callers, who may be as many as somebody has addresses. */
const AT_ONCE = { ofOne: 4, ofAll: 16 };
const WAITING_LIMIT = {
  maxWaiting: 64,
  refusal: () => rateLimited(1, 'Too many large bodies at once; try again'),
};

export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/**
 * Lets few large bodies be objects at once, few of them of one caller, from their parsing to their answer. As such they
 * are many times their size, and sixty of small values at once ended a process with a heap of 256 MiB.
 */
export class LargeBodies {
  readonly #semaphore = new FairSemaphore(AT_ONCE, WAITING_LIMIT);

  /** Resolves when it is the turn of a request's body; 429 past those that may wait for theirs. */
  begin(request: FastifyRequest): Promise<void> {
    return new Promise((begin, refuse) => {
      const turn = new Promise<void>((end) => (request.endTurn = end));
      const parse = () => {
        begin();
        return turn;
      };
      this.#semaphore.run(callerOf(request), parse).catch(refuse);
    });
  }
}

/** Its tenant, or the network that it comes from where nobody is known. */
const callerOf = ({ actor, clientAddress }: FastifyRequest): string =>
  'tenant_id' in actor ? actor.tenant_id : `${actor.kind} at ${networkOf(clientAddress)}`;

/** A hook for when the answer is there, whatever it is. */
export function endTurn(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: HookHandlerDoneFunction,
): void {
  request.endTurn?.();
  done();
}
