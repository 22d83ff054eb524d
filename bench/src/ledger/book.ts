/** A fault as it happened. */
export interface Strike {
  name: string;
  at: number;
}

export const WHAT = ['lost', 'doubled', 'out of order', 'invented', 'wrong'] as const;

/** A difference from what was acknowledged, or something that nobody asked for. */
export interface Finding {
  kind: string;
  fault: string;
  what: (typeof WHAT)[number];
  key: string;
}

/** A time in which a fault struck, or the service had not recovered from one. */
interface Trouble {
  from: number;
  to: number;
}

/** A fault counts as the cause of findings in writes acknowledged up to this long before it. */
const JUST_BEFORE_MS = 1000;
export const NO_FAULT = '(none)';

/** Attempted and acknowledged writes, the times of faults, and the findings. */
export class Book {
  readonly #began = Date.now();
  /** By kind and key: when it was acknowledged first, in milliseconds since the run began. */
  readonly #entries = new Map<string, Map<string, number>>();
  readonly #tried = new Map<string, Set<string>>();
  readonly #counts = new Map<string, number>();
  readonly #allowed = new Map<string, number>();
  readonly #troubles: Trouble[] = [];
  /** Faults that are under way. */
  #striking = 0;
  readonly strikes: Strike[] = [];
  readonly findings: Finding[] = [];
  /** Requests with an unknown outcome. */
  unknown = 0;

  /** @returns what tells that the fault itself is over, though not its consequences */
  strike(name: string): () => void {
    this.strikes.push({ name, at: this.#now() });
    this.#striking += 1;
    if (this.#troubles.at(-1)?.to !== Infinity) this.#troubles.push({ from: this.#now(), to: Infinity });
    return () => void (this.#striking -= 1);
  }

  /** How many faults there were, so that one who looks at the service later knows that none came meanwhile. */
  get moment(): number {
    return this.#striking > 0 ? -1 : this.strikes.length;
  }

  /** The service was seen well. @param moment before it was looked at */
  recovered(moment: number): void {
    const open = this.#troubles.at(-1);
    if (open?.to === Infinity && moment !== -1 && moment === this.moment) open.to = this.#now();
  }

  /** True where a fault, or its consequences, fell between two times of this process's clock. */
  wasInTrouble(from: number, to: number): boolean {
    const [first, last] = [from - this.#began, to - this.#began];
    return this.#troubles.some((trouble) => trouble.from <= last && trouble.to >= first);
  }

  /** Somebody begins to write what may be there from now on. */
  try(kind: string, key: string): void {
    const tried = this.#tried.get(kind) ?? new Set();
    this.#tried.set(kind, tried.add(key));
  }

  /** @returns false where it was known already */
  acknowledge(kind: string, key: string): boolean {
    this.try(kind, key);
    const entries = this.#entries.get(kind) ?? new Map<string, number>();
    this.#entries.set(kind, entries);
    if (entries.has(key)) return false;
    entries.set(key, this.#now());
    return true;
  }

  /** Counts what is judged one by one, such as answers. */
  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Counts what the contract allows under faults. */
  allow(what: string): void {
    this.#allowed.set(what, (this.#allowed.get(what) ?? 0) + 1);
  }

  get allowed(): { what: string; times: number }[] {
    return [...this.#allowed].map(([what, times]) => ({ what, times }));
  }

  /** The kinds with how much of each was acknowledged or judged. */
  kinds(): { kind: string; acknowledged: number }[] {
    const written = [...this.#entries].map(([kind, { size }]) => ({ kind, acknowledged: size }));
    const judged = [...this.#counts].map(([kind, acknowledged]) => ({ kind, acknowledged }));
    return [...written, ...judged];
  }

  numberOf(kind: string): number {
    return this.kinds().find((of) => of.kind === kind)?.acknowledged ?? 0;
  }

  keysOf(kind: string): string[] {
    return [...(this.#entries.get(kind)?.keys() ?? [])];
  }

  /** @param found the keys that exist now @param isIncluded selects acknowledged keys */
  compare(kind: string, found: readonly string[], isIncluded: (key: string) => boolean = () => true): void {
    const counts = new Map<string, number>();
    for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [key, at] of this.#entries.get(kind) ?? [])
      if (isIncluded(key) && !counts.has(key)) this.#find(kind, 'lost', key, at);
    for (const [key, count] of counts) {
      if (count > 1) this.#find(kind, 'doubled', key, this.#timeOf(kind, key));
      if (!this.#tried.get(kind)?.has(key)) this.#find(kind, 'invented', key, this.#now());
    }
  }

  /** Reports each key that follows a later one. */
  compareOrder(kind: string, expected: readonly string[], found: readonly string[]): void {
    const places = new Map(expected.map((key, place) => [key, place]));
    let highest = -1;
    for (const key of found) {
      const place = places.get(key) ?? -1;
      if (place !== -1 && place < highest) this.#find(kind, 'out of order', key, this.#timeOf(kind, key));
      highest = Math.max(highest, place);
    }
  }

  /** @param possible the last acknowledged value, and later ones with an unknown outcome */
  compareValue(kind: string, name: string, found: string, possible: ReadonlySet<string>): void {
    if (possible.has(found)) return;
    this.#find(kind, 'lost', `${name}: ${found}, not ${[...possible].join(' or ')}`, this.#now());
  }

  /** @param at when it went wrong, by this process's clock; now where nothing is said */
  find(kind: string, what: Finding['what'], key: string, at = Date.now()): void {
    this.#find(kind, what, key, at - this.#began);
  }

  #find(kind: string, what: Finding['what'], key: string, at: number): void {
    const before = this.strikes.findLast((strike) => strike.at <= at + JUST_BEFORE_MS);
    this.findings.push({ kind, what, key, fault: before?.name ?? NO_FAULT });
  }

  #timeOf(kind: string, key: string): number {
    return this.#entries.get(kind)?.get(key) ?? this.#now();
  }

  #now(): number {
    return Date.now() - this.#began;
  }
}
