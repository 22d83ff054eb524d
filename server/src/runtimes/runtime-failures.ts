import type { RuntimeReason } from './engine.port.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

interface Failures {
  /** In a row. */
  failures: number;
  /** True during the pause after the last failure. */
  is_pausing: boolean;
  /** The last failure's. */
  reason: RuntimeReason | null;
}

const NONE: Failures = { failures: 0, is_pausing: false, reason: null };

interface Entry extends Failures {
  generation: number;
  pause: NodeJS.Timeout;
  /** The runtime was not restarted since the last failure. */
  awaits_restart: boolean;
}

/** Exponential backoff for restarts of runtimes. Failures count per generation: a start on request begins at zero. */
export class RuntimeFailures {
  readonly #onPauseEnd: (instance_id: string) => void;
  readonly #entries = new Map<string, Entry>();

  constructor(onPauseEnd: (instance_id: string) => void) {
    this.#onPauseEnd = onPauseEnd;
  }

  /** Counts a failure and starts the pause. */
  note(instance_id: string, generation: number, reason: RuntimeReason): void {
    const { failures } = this.of(instance_id, generation);
    this.forget(instance_id);
    const pause = setTimeout(
      () => {
        const entry = this.#entries.get(instance_id);
        if (entry) entry.is_pausing = false;
        this.#onPauseEnd(instance_id);
      },
      Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS),
    ).unref();
    const entry = {
      failures: failures + 1,
      is_pausing: true,
      reason,
      generation,
      pause,
      awaits_restart: true,
    };
    this.#entries.set(instance_id, entry);
  }

  of(instance_id: string, generation: number): Failures {
    return this.#find(instance_id, generation) ?? NONE;
  }

  /** For a generation that the host itself starts. */
  carryOver(instance_id: string, generation: number): void {
    const entry = this.#find(instance_id, generation - 1);
    if (entry) entry.generation = generation;
  }

  /** True once after each failure. */
  claimRestart(instance_id: string, generation: number): boolean {
    const entry = this.#find(instance_id, generation);
    if (!entry?.awaits_restart) return false;
    entry.awaits_restart = false;
    return true;
  }

  forget(instance_id: string): void {
    clearTimeout(this.#entries.get(instance_id)?.pause);
    this.#entries.delete(instance_id);
  }

  close(): void {
    for (const id of this.#entries.keys()) this.forget(id);
  }

  #find(instance_id: string, generation: number): Entry | undefined {
    const entry = this.#entries.get(instance_id);
    return entry && entry.generation >= generation ? entry : undefined;
  }
}
