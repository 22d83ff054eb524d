/** A list as serialized JSON, whose items nobody needs to look into. `Item` is what each of them says. */
export class JsonList<Item> implements AsyncIterable<string> {
  /** All of it as it is sent, where it is short enough to be kept. */
  readonly whole: Buffer | null;
  /** How many items it has, where that is known before they are read. */
  readonly count: number | undefined;
  readonly #items: () => Iterable<string> | AsyncIterable<string>;
  /** What stands around the items. */
  readonly before: string;
  readonly after: string;
  /** Never present; carries the type of what an item says, for inference. */
  readonly item?: Item;

  private constructor(
    whole: Buffer | null,
    count: number | undefined,
    items: () => Iterable<string> | AsyncIterable<string>,
    [before, after]: readonly [string, string] = ['[', ']'],
  ) {
    this.whole = whole;
    this.count = count;
    this.#items = items;
    this.before = before;
    this.after = after;
  }

  static of<Item>(items: readonly string[]): JsonList<Item> {
    const whole = Buffer.from(`[${items.join(',')}]`);
    const lengths = items.map((item) => Buffer.byteLength(item));
    return new JsonList<Item>(whole, items.length, () => slices(whole, lengths));
  }

  /** Of items that are read as they are taken, each time anew. */
  static reading<Item>(items: () => AsyncIterable<string>): JsonList<Item> {
    return new JsonList<Item>(null, undefined, items);
  }

  /** The same as the `items` of a page, with what else that tells. */
  static page<Item>(count: number, items: () => AsyncIterable<string>, rest: object): JsonList<Item> {
    const after = `],${JSON.stringify(rest).slice(1)}`;
    return new JsonList<Item>(null, count, items, ['{"items":[', after]);
  }

  /** Item by item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    yield* this.#items();
  }

  /** As it is sent, in pieces. */
  async *pieces(): AsyncGenerator<string> {
    let { before } = this;
    for await (const item of this) {
      yield before + item;
      before = ',';
    }
    yield before === ',' ? this.after : before + this.after;
  }
}

function* slices(whole: Buffer, lengths: readonly number[]): Generator<string> {
  let start = 1;
  for (const length of lengths) {
    yield whole.toString('utf8', start, start + length);
    start += length + 1;
  }
}
