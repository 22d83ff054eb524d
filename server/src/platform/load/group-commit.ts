import { setImmediate } from 'node:timers/promises';

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  done: (result: Result) => void;
  failed: (error: unknown) => void;
}

/**
 * Group commit: items that arrive while `atOnce` groups are being written go into the next group, so a busy service pays
 * for one commit instead of many. An item never waits for others to arrive.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atOnce: number;
  readonly #maxWeight: number;
  readonly #isFaultOfOne: (error: unknown) => boolean;
  #waiting: Waiting<Item, Result>[] = [];
  #writers = 0;

  /**
   * @param write commits a group, in its order, and resolves with a result for each
   * @param limits groups under way at once, and the weight of a full group
   * @param isFaultOfOne true for an error that a single item may have caused: the group is then written in halves, so
   * that item fails alone. Any other error fails the whole group
   */
  constructor(
    write: (items: readonly Item[]) => Promise<readonly Result[]>,
    { atOnce, maxWeight }: { atOnce: number; maxWeight: number },
    isFaultOfOne: (error: unknown) => boolean = () => false,
  ) {
    this.#write = write;
    this.#atOnce = atOnce;
    this.#maxWeight = maxWeight;
    this.#isFaultOfOne = isFaultOfOne;
  }

  /** Resolves when the item's group is committed. An item heavy enough for a group of its own does not wait. */
  add(item: Item, weight = 1): Promise<Result> {
    return new Promise((done, failed) => {
      const one = { item, weight, done, failed };
      if (weight >= this.#maxWeight) {
        void this.#commit([one]);
      } else {
        this.#waiting.push(one);
        if (this.#writers < this.#atOnce) void this.#writeAll();
      }
    });
  }

  async #writeAll(): Promise<void> {
    this.#writers++;
    while (this.#waiting.length > 0) {
      // Items of this event-loop turn join the group.
      await setImmediate();
      await this.#commit(this.#next());
    }
    this.#writers--;
  }

  #next(): Waiting<Item, Result>[] {
    let weight = 0;
    const end = this.#waiting.findIndex((one) => (weight += one.weight) > this.#maxWeight);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #commit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(group.map(({ item }) => item));
      for (const [index, { done }] of group.entries()) done(results[index] as Result);
    } catch (error) {
      if (group.length > 1 && this.#isFaultOfOne(error)) {
        const middle = Math.ceil(group.length / 2);
        await this.#commit(group.slice(0, middle));
        await this.#commit(group.slice(middle));
      } else {
        for (const { failed } of group) failed(error);
      }
    }
  }
}
