const AT_ONCE = 10;
/** One that does not come up makes room for the next one. */
const MAX_MS = 60_000;

/** Limits how many runtimes get a new identity at once: after a restored backup all runtimes of a place ask for one. */
export class Renewals {
  readonly #wake: (instance_id: string) => void;
  /** When they end at the latest. */
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Set<string>();

  /** @param wake called for one that was refused once it may try again */
  constructor(wake: (instance_id: string) => void) {
    this.#wake = wake;
  }

  admit(instance_id: string): boolean {
    const now = performance.now();
    for (const [id, until] of this.#underWay) if (until <= now) this.#underWay.delete(id);
    if (this.#underWay.size >= AT_ONCE && !this.#underWay.has(instance_id)) {
      this.#waiting.add(instance_id);
      return false;
    }
    this.#waiting.delete(instance_id);
    this.#underWay.set(instance_id, now + MAX_MS);
    return true;
  }

  /** It is up, has failed or is not wanted any more. */
  end(instance_id: string): void {
    this.#waiting.delete(instance_id);
    if (!this.#underWay.delete(instance_id)) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#wake(next);
  }
}
