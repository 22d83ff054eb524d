import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { networkOf } from '../load/networks.ts';
import { FairSemaphore, type Release } from '../load/semaphore.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For a large body. */
    releasePermit?: Release;
  }
}

const LARGE_BYTES = 64 * 1024;
/** Per caller and in total, because a person may have many addresses. */
const PERMITS = { ofOne: 4, ofAll: 16 };
const MAX_WAITING = 64;

export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/** Limits large bodies in memory from parsing to the response, because parsed JSON takes many times its size. */
export class LargeBodies {
  readonly #semaphore: FairSemaphore;

  /** @param refusal the error when too many wait */
  constructor(refusal: (message: string) => Error) {
    const tooMany = () => refusal('Too many large bodies at once; try again');
    this.#semaphore = new FairSemaphore(PERMITS, { maxWaiting: MAX_WAITING, refusal: tooMany });
  }

  /** Resolves with the permit. */
  async acquire(request: FastifyRequest): Promise<void> {
    request.releasePermit = await this.#semaphore.acquire(callerOf(request));
  }
}

/** The tenant, or the network of an anonymous caller. */
const callerOf = ({ actor, clientAddress }: FastifyRequest): string =>
  'tenant_id' in actor ? actor.tenant_id : `${actor.kind} at ${networkOf(clientAddress)}`;

/** An onSend hook. */
export function releasePermit(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: HookHandlerDoneFunction,
): void {
  request.releasePermit?.();
  done();
}
