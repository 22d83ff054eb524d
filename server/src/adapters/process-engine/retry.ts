const FIRST_MS = 200;
const LONGEST_MS = 30_000;

/** How long to wait after so many failures in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
}

/** One piece of work that is done again later: after 0.2 s, twice that at the next failure, at last every 30 s. */
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

  /** What failed before no longer counts. */
  forget(): void {
    this.#failures = 0;
  }
}
