interface TextMatch {
  start: number;
  end: number;
  /** Index in the constructor's list. */
  pattern: number;
}

const NONE = -1;
/** Children of a state that are looked at one by one. */
const MOST_WALKED = 8;

/**
 * Finds many patterns in time linear in the text (Aho and Corasick, 1975). States are rows of typed arrays, because a
 * megabyte of patterns has a million of them.
 */
export class AhoCorasick {
  readonly #lengths: readonly number[];
  readonly #chars: Uint16Array;
  readonly #firstChild: Int32Array;
  readonly #nextSibling: Int32Array;
  /** The longest proper suffix. */
  readonly #suffix: Int32Array;
  /** The longest pattern that ends here. */
  readonly #ends: Int32Array;
  /** Children of the root, and of states with many, where a walk along them would take long. */
  readonly #maps = new Map<number, Map<number, number>>([[0, new Map()]]);
  readonly #hasMap: Uint8Array;
  #count = 1;

  constructor(patterns: readonly string[]) {
    this.#lengths = patterns.map(({ length }) => length);
    const size = this.#lengths.reduce((sum, length) => sum + length, 1);
    this.#chars = new Uint16Array(size);
    this.#firstChild = new Int32Array(size);
    this.#nextSibling = new Int32Array(size);
    this.#suffix = new Int32Array(size);
    this.#hasMap = new Uint8Array(size);
    this.#hasMap[0] = 1;
    this.#ends = new Int32Array(size).fill(NONE);
    for (const [index, pattern] of patterns.entries()) this.#add(pattern, index);
    this.#link();
  }

  /** Only the longest of patterns with the same end. */
  *find(text: string): Generator<TextMatch> {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.#next(state, text.charCodeAt(at));
      const pattern = this.#ends[state] ?? NONE;
      if (pattern !== NONE) yield { start: at + 1 - (this.#lengths[pattern] ?? 0), end: at + 1, pattern };
    }
  }

  #add(pattern: string, index: number): void {
    let state = 0;
    for (let at = 0; at < pattern.length; at++) {
      const char = pattern.charCodeAt(at);
      state = this.#child(state, char) || this.#addChild(state, char);
    }
    if (state !== 0 && this.#ends[state] === NONE) this.#ends[state] = index;
  }

  #addChild(state: number, char: number): number {
    const child = this.#count++;
    this.#chars[child] = char;
    this.#nextSibling[child] = this.#firstChild[state] ?? 0;
    this.#firstChild[state] = child;
    if (this.#hasMap[state] === 1) this.#maps.get(state)?.set(char, child);
    return child;
  }

  #child(state: number, char: number): number {
    if (this.#hasMap[state] === 1) return this.#maps.get(state)?.get(char) ?? 0;
    let child = this.#firstChild[state] ?? 0;
    for (let walked = 0; child !== 0 && this.#chars[child] !== char; walked++) {
      if (walked === MOST_WALKED) return this.#makeMap(state).get(char) ?? 0;
      child = this.#nextSibling[child] ?? 0;
    }
    return child;
  }

  #makeMap(state: number): Map<number, number> {
    const map = new Map<number, number>();
    for (let child = this.#firstChild[state] ?? 0; child !== 0; child = this.#nextSibling[child] ?? 0)
      map.set(this.#chars[child] ?? 0, child);
    this.#maps.set(state, map);
    this.#hasMap[state] = 1;
    return map;
  }

  #next(from: number, char: number): number {
    let state = from;
    let child = this.#child(state, char);
    while (child === 0 && state !== 0) {
      state = this.#suffix[state] ?? 0;
      child = this.#child(state, char);
    }
    return child;
  }

  /** Breadth first, because a state needs the suffix of shorter ones. */
  #link(): void {
    const queue = new Int32Array(this.#count);
    let filled = 1;
    for (let taken = 0; taken < filled; taken++) {
      const state = queue[taken] ?? 0;
      for (let child = this.#firstChild[state] ?? 0; child !== 0; child = this.#nextSibling[child] ?? 0) {
        const suffix = state === 0 ? 0 : this.#next(this.#suffix[state] ?? 0, this.#chars[child] ?? 0);
        this.#suffix[child] = suffix;
        if (this.#ends[child] === NONE) this.#ends[child] = this.#ends[suffix] ?? NONE;
        queue[filled++] = child;
      }
    }
  }
}
