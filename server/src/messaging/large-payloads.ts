import { tryAgain } from '../platform/errors.ts';
import { Semaphore } from '../platform/load/semaphore.ts';

/** A message has one to three KiB. */
const LARGE_BYTES = 32 * 1024;
const AT_ONCE = 2;
const MAX_WAITING = 20;

/**
 * Lets few large payloads of a webhook be objects at once. A megabyte of small messages is up to twenty then, until it is
 * refused or stored, and anybody may send one: sixty at once ended a process with a heap of 256 MiB.
 */
export class LargePayloads {
  readonly #semaphore = new Semaphore(AT_ONCE, {
    maxWaiting: MAX_WAITING,
    refusal: () => tryAgain('Too many large payloads at once; try again'),
  });

  /** Takes a payload of so many bytes in, a large one when it has its turn; 503 past those that may wait for theirs. */
  run<T>(bytes: number, takeIn: () => Promise<T>): Promise<T> {
    return bytes > LARGE_BYTES ? this.#semaphore.run(takeIn) : takeIn();
  }
}
