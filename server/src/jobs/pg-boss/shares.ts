import type { Bounds } from '../job-definition.ts';

const TAKES = /WHERE j\.name = '(\w+)'\s+AND j\.state < 'active'\s+AND NOT j\.blocked/;

/**
 * What this process works on for each tenant, each instance. pg-boss has such shares (`localGroupConcurrency`), but of one
 * kind alone, and not where consumers come and go: each new one sets the share of all.
 */
export class Shares {
  readonly #limits: Bounds['shares'];
  readonly #taken = new Map<string, { count: number; limit: number }>();
  #fetching = 0;

  constructor(limits: Bounds['shares']) {
    this.#limits = limits;
  }

  /** @returns whose shares they are */
  take(data: Readonly<Record<string, string>>): string[] {
    return Object.entries(this.#limits).flatMap(([name, limit]) => {
      const id = data[name];
      // A job that an older version made does not name all.
      if (id === undefined) return [];
      const { count } = this.#taken.get(id) ?? { count: 0 };
      this.#taken.set(id, { count: count + 1, limit });
      return [id];
    });
  }

  giveBack(ids: readonly string[]): void {
    for (const id of ids) {
      const share = this.#taken.get(id);
      if (share && --share.count === 0) this.#taken.delete(id);
    }
  }

  /**
   * Sends the library's statement that takes the next job of the queue, made to leave out the jobs of those who have their
   * share. What is being taken may be anybody's, so it counts as everybody's until it is known.
   */
  async fetch<R>(text: string, send: (text: string, values: unknown[]) => Promise<R>): Promise<R> {
    const full = [...this.#taken].flatMap(([id, { count, limit }]) =>
      count + this.#fetching < limit ? [] : [id],
    );
    this.#fetching++;
    try {
      return await (full.length === 0 ? send(text, []) : send(this.#leavingOut(text), [full]));
    } finally {
      // The job has been begun by then.
      setImmediate(() => this.#fetching--);
    }
  }

  #leavingOut(text: string): string {
    const ids = Object.keys(this.#limits).map((name) => `j.data->>'${name}'`);
    return text.replace(TAKES, (taking) => `${taking} AND NOT (ARRAY[${ids.join(', ')}] && $1::text[])`);
  }
}

/** The queue of which a statement takes the next job; undefined when it does not, or not in the form that is known here. */
export const takesFrom = (text: string): string | undefined =>
  text.includes('$1') ? undefined : TAKES.exec(text)?.[1];
