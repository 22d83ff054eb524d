import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { networkOf } from '../load/networks.ts';
import { FairSemaphore, type Release } from '../load/semaphore.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the permit of a large body. */
    releasePermit?: Release;
  }
}

const LARGE_BYTES = 64 * 1024;
/** Permits for one caller and for all together, because one person may have many addresses. */
const AT_ONCE = { ofOne: 4, ofAll: 16 };
const MAX_WAITING = 64;

export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/**
 * Limits the large bodies that are objects at once, from parsing to answer, because parsed JSON takes many times its
 * size in memory.
 */
export class LargeBodies {
  readonly #semaphore: FairSemaphore;

  /** @param refusal the error for a request that is one too many to wait */
  constructor(refusal: (message: string) => Error) {
    const tooMany = () => refusal('Too many large bodies at once; try again');
    this.#semaphore = new FairSemaphore(AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany });
  }

  /** Resolves when a request has the permit for its body. */
  async acquire(request: FastifyRequest): Promise<void> {
    request.releasePermit = await this.#semaphore.acquire(callerOf(request));
  }
}

/** The tenant, or the network of an anonymous caller. */
const callerOf = ({ actor, clientAddress }: FastifyRequest): string =>
  'tenant_id' in actor ? actor.tenant_id : `${actor.kind} at ${networkOf(clientAddress)}`;

/** onSend hook that gives the permit back. */
export function releasePermit(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: HookHandlerDoneFunction,
): void {
  request.releasePermit?.();
  done();
}
