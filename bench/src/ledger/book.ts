/** An acknowledged write. */
interface Entry {
  key: string;
  /** Milliseconds since the run began. */
  at: number;
}

interface Strike {
  name: string;
  at: number;
}

/** A difference from an acknowledged write. */
export interface Finding {
  kind: string;
  fault: string;
  what: 'lost' | 'doubled' | 'out of order';
  key: string;
}

/** A fault counts as the cause of findings in writes acknowledged up to this long before it. */
const JUST_BEFORE_MS = 1000;
export const NO_FAULT = '(none)';

/** Acknowledged writes, and the times of faults. */
export class Book {
  readonly #began = Date.now();
  readonly #entries = new Map<string, Entry[]>();
  readonly strikes: Strike[] = [];
  readonly findings: Finding[] = [];
  /** No fault excuses them, such as a 401 for a valid key. */
  readonly wrongAnswers: string[] = [];
  /** Texts that were sent twice. They are no findings: after a kill, the service cannot know if the channel has them. */
  sentAgain = 0;
  /** Requests with an unknown outcome. */
  unknown = 0;

  strike(name: string): void {
    this.strikes.push({ name, at: this.#now() });
  }

  acknowledge(kind: string, key: string): void {
    const entries = this.#entries.get(kind) ?? [];
    this.#entries.set(kind, entries);
    entries.push({ key, at: this.#now() });
  }

  kinds(): { kind: string; acknowledged: number }[] {
    return [...this.#entries].map(([kind, { length }]) => ({ kind, acknowledged: length }));
  }

  keysOf(kind: string): string[] {
    return (this.#entries.get(kind) ?? []).map(({ key }) => key);
  }

  /** @param found the keys that exist now @param isIncluded selects acknowledged keys */
  compare(kind: string, found: readonly string[], isIncluded: (key: string) => boolean = () => true): void {
    const counts = new Map<string, number>();
    for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const { key, at } of this.#entries.get(kind) ?? [])
      if (isIncluded(key) && !counts.has(key)) this.#find(kind, 'lost', key, at);
    for (const [key, count] of counts)
      if (count > 1) this.#find(kind, 'doubled', key, this.#timeOf(kind, key));
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

  #find(kind: string, what: Finding['what'], key: string, at: number): void {
    const before = this.strikes.findLast((strike) => strike.at <= at + JUST_BEFORE_MS);
    this.findings.push({ kind, what, key, fault: before?.name ?? NO_FAULT });
  }

  #timeOf(kind: string, key: string): number {
    return this.#entries.get(kind)?.find((entry) => entry.key === key)?.at ?? this.#now();
  }

  #now(): number {
    return Date.now() - this.#began;
  }
}
