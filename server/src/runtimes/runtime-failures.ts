import type { RuntimeReason } from './engine.port.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** Failures of a runtime in a row; the pause after the last one; why it was. */
interface Failures {
  failures: number;
  is_pausing: boolean;
  reason: RuntimeReason | null;
}

const NONE: Failures = { failures: 0, is_pausing: false, reason: null };

interface Kept extends Failures {
  generation: number;
  pause: NodeJS.Timeout;
  /** The runtime was not begun again since the last failure. */
  is_open: boolean;
}

/**
 * The failures of runtimes, each followed by a pause: 0.2 s, then twice as long each time, at most 30 s. They count for a
 * generation: a start that is asked for begins anew.
 */
export class RuntimeFailures {
  readonly #onPauseEnd: (instance_id: string) => void;
  readonly #kept = new Map<string, Kept>();

  constructor(onPauseEnd: (instance_id: string) => void) {
    this.#onPauseEnd = onPauseEnd;
  }

  /** Notes that a runtime has failed, and begins the pause. */
  note(instance_id: string, generation: number, reason: RuntimeReason): void {
    const { failures } = this.of(instance_id, generation);
    this.forget(instance_id);
    const pause = setTimeout(
      () => {
        const kept = this.#kept.get(instance_id);
        if (kept) kept.is_pausing = false;
        this.#onPauseEnd(instance_id);
      },
      Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS),
    ).unref();
    const kept = { failures: failures + 1, is_pausing: true, reason, generation, pause, is_open: true };
    this.#kept.set(instance_id, kept);
  }

  of(instance_id: string, generation: number): Failures {
    return this.#find(instance_id, generation) ?? NONE;
  }

  /** Has the failures count for a generation that follows by itself, too. */
  carryOver(instance_id: string, generation: number): void {
    const kept = this.#find(instance_id, generation - 1);
    if (kept) kept.generation = generation;
  }

  /** The runtime is begun again. True once after each failure. */
  begin(instance_id: string, generation: number): boolean {
    const kept = this.#find(instance_id, generation);
    if (!kept?.is_open) return false;
    kept.is_open = false;
    return true;
  }

  forget(instance_id: string): void {
    clearTimeout(this.#kept.get(instance_id)?.pause);
    this.#kept.delete(instance_id);
  }

  close(): void {
    for (const id of this.#kept.keys()) this.forget(id);
  }

  #find(instance_id: string, generation: number): Kept | undefined {
    const kept = this.#kept.get(instance_id);
    return kept && kept.generation >= generation ? kept : undefined;
  }
}
