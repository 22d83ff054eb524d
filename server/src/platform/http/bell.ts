import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes a waiter. Arm it before each read, so that events during the read also ring it. */
export class Bell {
  isClosed = false;
  #ring = new AbortController();

  arm(): void {
    this.#ring = new AbortController();
  }

  ring(): void {
    this.#ring.abort();
  }

  close(): void {
    this.isClosed = true;
    this.ring();
  }

  /** Resolves when it rings or after `timeoutMs`. */
  async rung(timeoutMs: number): Promise<void> {
    if (this.isClosed) return;
    await sleep(timeoutMs, undefined, { signal: this.#ring.signal }).catch(() => {});
  }
}
