const FIRST_MS = 200;
const LONGEST_MS = 30_000;

/** Exponential backoff: 0.2 s, doubled after each failure, at most 30 s. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
}

/** Schedules one piece of work again with exponential backoff. */
export class Retry {
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  later(work: () => Promise<void>): void {
    this.cancel();
    this.#timer = setTimeout(() => void work(), retryDelayMs(this.#failures++));
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Resets the backoff. */
  forget(): void {
    this.#failures = 0;
  }
}
