interface PagePosition {
  page: number;
  per_page: number;
  total: number;
}

/** Serialized JSON that is sent item by item. */
export class JsonList<Item> implements AsyncIterable<string> {
  /** The whole list, if it is in memory. */
  readonly whole: Buffer | null;
  readonly count: number;
  /** For the `items` of a page. */
  readonly position: PagePosition | undefined;
  readonly #items: () => Iterable<string> | AsyncIterable<string>;
  /** Type only, for inference. */
  readonly item?: Item;

  private constructor(
    items: () => Iterable<string> | AsyncIterable<string>,
    { whole, count, position }: { whole?: Buffer; count: number; position?: PagePosition },
  ) {
    this.#items = items;
    this.whole = whole ?? null;
    this.count = count;
    this.position = position;
  }

  static of<Item>(items: readonly string[]): JsonList<Item> {
    const whole = Buffer.from(`[${items.join(',')}]`);
    const lengths = items.map((item) => Buffer.byteLength(item));
    return new JsonList<Item>(() => slices(whole, lengths), { whole, count: items.length });
  }

  /** Items are read while they are sent, each time anew. */
  static reading<Item>(count: number, items: () => AsyncIterable<string>): JsonList<Item> {
    return new JsonList<Item>(items, { count });
  }

  /** As the `items` of a page. */
  static page<Item>(
    position: PagePosition,
    count: number,
    items: () => AsyncIterable<string>,
  ): JsonList<Item> {
    return new JsonList<Item>(items, { count, position });
  }

  /** A page of this list. Reads earlier items, but none after it. */
  window(page: number, per_page: number): JsonList<Item> {
    const { count: total } = this;
    const before = (page - 1) * per_page;
    const count = Math.min(Math.max(total - before, 0), per_page);
    return JsonList.page({ page, per_page, total }, count, () => slice(this, before, before + per_page));
  }

  get opening(): string {
    if (!this.position) return '[';
    const { page, per_page, total } = this.position;
    return `{"page":${page},"per_page":${per_page},"total":${total},"items":[`;
  }

  get closing(): string {
    return this.position ? ']}' : ']';
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    yield* this.#items();
  }

  /** JSON text. */
  async *pieces(): AsyncGenerator<string> {
    let before = this.opening;
    for await (const item of this) {
      yield before + item;
      before = ',';
    }
    yield before === ',' ? this.closing : before + this.closing;
  }
}

async function* slice(list: AsyncIterable<string>, from: number, to: number): AsyncGenerator<string> {
  let index = 0;
  for await (const item of list) {
    if (index >= from) yield item;
    index += 1;
    if (index === to) return;
  }
}

function* slices(whole: Buffer, lengths: readonly number[]): Generator<string> {
  let start = 1;
  for (const length of lengths) {
    yield whole.toString('utf8', start, start + length);
    start += length + 1;
  }
}
