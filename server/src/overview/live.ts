import type { Static } from 'typebox';
import type { LiveChange } from './live.contract.ts';

type Hint = Static<typeof LiveChange>;

/** A row is hinted at once in this time, and again at its end if it changed meanwhile. */
const QUIET_MS = 1000;

/** The hints that one stream has still to send: each row at most once a second, its last change never dropped. */
export class WaitingHints {
  readonly #waiting = new Map<string, Hint>();
  readonly #quietUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #wake: () => void;

  /** @param wake is called when `take` may have something */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  add(hint: Hint): void {
    this.#waiting.set(`${hint.kind}/${hint.id}`, hint);
    this.#wake();
  }

  take(limit: number): Hint[] {
    const now = performance.now();
    for (const [key, until] of this.#quietUntil) if (until <= now) this.#quietUntil.delete(key);
    const due = [...this.#waiting].filter(([key]) => !this.#quietUntil.has(key)).slice(0, limit);
    for (const [key] of due) {
      this.#waiting.delete(key);
      this.#quietUntil.set(key, now + QUIET_MS);
    }
    clearTimeout(this.#timer);
    if (this.#waiting.size > 0) this.#timer = setTimeout(this.#wake, QUIET_MS).unref();
    return due.map(([, hint]) => hint);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
