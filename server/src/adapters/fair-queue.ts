/**
 * A bounded queue with one line per name. Lines take turns (round robin), so no line waits behind all items of another.
 * A full queue drops the last item of its longest line.
 */
export class FairQueue<T> {
  readonly #max: number;
  /** The first line has the next turn. No line is empty. */
  readonly #lines = new Map<string, T[]>();
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns the dropped item when the queue is full: the last of the longest line, or `item` if no line is longer */
  push(name: string, item: T): T | undefined {
    const line = this.#lines.get(name) ?? [];
    line.push(item);
    this.#lines.set(name, line);
    this.#length++;
    return this.#length > this.#max ? this.#dropFromLongest(name, line) : undefined;
  }

  shift(): T | undefined {
    const [turn] = this.#lines;
    if (!turn) return undefined;
    const [name, line] = turn;
    const item = line.shift();
    this.#lines.delete(name);
    if (line.length > 0) this.#lines.set(name, line);
    this.#length--;
    return item;
  }

  #dropFromLongest(name: string, line: T[]): T | undefined {
    let longest = line;
    for (const other of this.#lines.values()) if (other.length > longest.length) longest = other;
    const item = longest.pop();
    if (line.length === 0) this.#lines.delete(name);
    this.#length--;
    return item;
  }
}
