import type { Observed } from '../../runtimes/engine.port.ts';

type State = Omit<Observed, 'at'>;

/** Keeps what the caller was told of one instance. */
export class Told {
  #last: Observed | undefined;
  #isDemanded = false;

  /** A caller that waits for the end of a call gets it each time. */
  demand(): void {
    this.#isDemanded = true;
  }

  get isDemanded(): boolean {
    return this.#isDemanded;
  }

  /** @returns what the caller has to be told; undefined: nothing new */
  news(state: State): Observed | undefined {
    const before = this.#last;
    const isNews = before ? !isSame(state, before) : state.phase !== 'gone';
    const isDemanded = this.#isDemanded;
    this.#isDemanded = false;
    const after = this.snapshot(state);
    return isNews || isDemanded ? after : undefined;
  }

  /** With the time since which it is so. */
  snapshot(state: State): Observed {
    const before = this.#last;
    this.#last = before && isSame(state, before) ? before : { ...state, at: Date.now() };
    return this.#last;
  }
}

const isSame = (state: State, before: Observed) =>
  Object.entries(state).every(([key, value]) => before[key as keyof Observed] === value);
