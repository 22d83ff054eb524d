import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { rateLimited } from '../errors.ts';
import { KeyedSemaphore } from '../semaphore.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of one whose body is large. */
    endTurn?: () => void;
  }
}

const LARGE_BYTES = 64 * 1024;
/** Of a tenant, or of an address where nobody is known. */
const AT_ONCE = 4;
const WAITING_LIMIT = {
  maxWaiting: 64,
  refusal: () => rateLimited(1, 'Too many large bodies at once; try again'),
};

export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/**
 * Lets few large bodies of one caller be objects at once, from their parsing to their answer. As such they are many times
 * their size, and sixty of small values at once ended a process with a heap of 256 MiB.
 */
export class LargeBodies {
  readonly #semaphores = new KeyedSemaphore(AT_ONCE, WAITING_LIMIT);

  /** Resolves when it is the turn of a request's body; 429 past those that may wait for theirs. */
  async begin(request: FastifyRequest): Promise<void> {
    await new Promise<void>((begin, refuse) => {
      const turn = new Promise<void>((end) => (request.endTurn = end));
      const taken = this.#semaphores.run(callerOf(request), () => {
        begin();
        return turn;
      });
      taken.catch(refuse);
    });
  }
}

const callerOf = ({ actor, clientAddress }: FastifyRequest): string =>
  'tenant_id' in actor ? actor.tenant_id : `${actor.kind} at ${clientAddress}`;

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
