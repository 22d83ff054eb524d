import { tryAgain } from '../errors.ts';
import type { Sent } from './pipeline.ts';

/** How long a caller waits for a connection. */
const WAITS_FOR_MS = 5000;
/** How often those who wait are looked at while nothing ends, because connections become stuck by the time alone. */
const LOOK_EVERY_MS = 50;

interface Waiter<T> {
  work: Sent;
  go: (place: T) => void;
  refuse: (error: Error) => void;
  until: number;
}

/** The order in which work gets a place: kinds take turns, and those of one kind go in the order of their calls. */
export class Waiting<T> {
  readonly #placeFor: (work: Sent) => T | undefined;
  readonly #kinds = new Map<string, Waiter<T>[]>();
  #timer: NodeJS.Timeout | undefined;
  size = 0;

  /** @param placeFor finds a place that the work takes at once; undefined while there is none */
  constructor(placeFor: (work: Sent) => T | undefined) {
    this.#placeFor = placeFor;
  }

  /** A place, at once where there is one. Rejects when none has become free for a while (503). */
  turnOf(work: Sent): T | Promise<T> {
    const place = this.#kinds.has(work.kind) ? undefined : this.#placeFor(work);
    if (place) return place;
    return new Promise((go, refuse) => {
      const waiter = { work, go, refuse, until: performance.now() + WAITS_FOR_MS };
      const waiters = this.#kinds.get(work.kind);
      if (waiters) waiters.push(waiter);
      else this.#kinds.set(work.kind, [waiter]);
      this.size++;
      this.#timer ??= setInterval(() => this.letIn(), LOOK_EVERY_MS);
    });
  }

  /** Gives out places that have become free, and refuses those who waited for too long. */
  letIn(): void {
    while (this.size > 0 && this.#round());
    if (this.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Refuses all who wait. */
  close(): void {
    for (const waiters of this.#kinds.values())
      while (waiters.length > 0) this.#take(waiters)?.refuse(new Error('The database is closed'));
    this.#kinds.clear();
    this.letIn();
  }

  /** One place for each kind. @returns whether any found one */
  #round(): boolean {
    const now = performance.now();
    let found = false;
    // A copy, because each goes to the end of the line.
    const kinds = new Map(this.#kinds);
    for (const [kind, waiters] of kinds) {
      while (waiters[0] && waiters[0].until < now)
        this.#take(waiters)?.refuse(tryAgain('The database is busy'));
      const place = waiters[0] && this.#placeFor(waiters[0].work);
      if (place) this.#take(waiters)?.go(place);
      found ||= place !== undefined;
      this.#kinds.delete(kind);
      if (waiters.length > 0) this.#kinds.set(kind, waiters);
    }
    return found;
  }

  #take(waiters: Waiter<T>[]): Waiter<T> | undefined {
    this.size--;
    return waiters.shift();
  }
}
