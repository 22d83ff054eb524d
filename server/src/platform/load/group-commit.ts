import { setImmediate } from 'node:timers/promises';

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  done: (result: Result) => void;
  failed: (error: unknown) => void;
}

/**
 * Group commit: items that arrive during `atOnce` writes form the next group, so a busy service has one commit instead
 * of many. An item never waits for others to arrive.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atOnce: number;
  readonly #maxWeight: number;
  readonly #isItemError: (error: unknown) => boolean;
  #waiting: Waiting<Item, Result>[] = [];
  #writers = 0;

  /**
   * @param write commits a group in order and resolves with a result per item
   * @param limits concurrent groups, and the maximum weight of a group
   * @param isItemError true for an error that one item may have caused: the group is then written in halves, so that
   * only this item fails. Other errors fail the whole group
   */
  constructor(
    write: (items: readonly Item[]) => Promise<readonly Result[]>,
    { atOnce, maxWeight }: { atOnce: number; maxWeight: number },
    isItemError: (error: unknown) => boolean = () => false,
  ) {
    this.#write = write;
    this.#atOnce = atOnce;
    this.#maxWeight = maxWeight;
    this.#isItemError = isItemError;
  }

  /** Resolves after the commit. An item as heavy as a group does not wait. */
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
      if (group.length > 1 && this.#isItemError(error)) {
        const middle = Math.ceil(group.length / 2);
        await this.#commit(group.slice(0, middle));
        await this.#commit(group.slice(middle));
      } else {
        for (const { failed } of group) failed(error);
      }
    }
  }
}
