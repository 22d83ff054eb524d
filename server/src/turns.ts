export interface WaitingRoom {
  /** How many may wait. */
  seats: number;
  /** What each one more is refused with. */
  full: () => Error;
}

/** A semaphore: work is done by at most `places` at once, in the order of the calls; 1 makes it one after the other. */
export class Turns {
  readonly #places: number;
  readonly #room: WaitingRoom | undefined;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param room any number may wait where none is given */
  constructor(places: number, room?: WaitingRoom) {
    this.#places = places;
    this.#room = room;
  }

  /** Nobody works and nobody waits. */
  get isFree(): boolean {
    return this.#taken === 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    // Whoever finishes hands its place over, so `#taken` stays as it is.
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }

  #wait(): Promise<void> {
    if (this.#room && this.#waiting.length >= this.#room.seats) throw this.#room.full();
    return new Promise((go) => this.#waiting.push(go));
  }
}
