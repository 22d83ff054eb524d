import type { Queryable } from '../platform/db/queryable.ts';
import type { Observed } from './engine.port.ts';
import type { Place } from './place.port.ts';
import { type HostedRuntime, listHostedRuntimes, listOpenRuntimes, seeHost } from './runtime-hosts.db.ts';

interface Rows {
  rows: readonly HostedRuntime[];
  /** Every runtime of the place has a row in it. */
  isAll: boolean;
}

/** Reads the rows of a place's runtimes; of a cluster's no more than may need something, except after a full list. */
export class RuntimeRows {
  readonly #system: Queryable;
  readonly #place: Place;
  /** A full list may have shown what nobody was told of. */
  #mustReadAll = true;
  /** Looks at them have failed. */
  readonly #failed = new Set<string>();

  constructor(system: Queryable, place: Place) {
    this.#system = system;
    this.#place = place;
  }

  onFullList(): void {
    this.#mustReadAll = true;
  }

  noteLook(instance_id: string, hasFailed: boolean): void {
    if (hasFailed) this.#failed.add(instance_id);
    else this.#failed.delete(instance_id);
  }

  read(observed: Iterable<Observed>): Promise<Rows> {
    return this.#place.holder === null ? this.#readOfCopy() : this.#readOfCluster(observed);
  }

  /** Reads also mark a copy as alive. */
  async #readOfCopy(): Promise<Rows> {
    const { rows } = await this.#system.run({
      seen: seeHost(this.#place.host_id),
      rows: listHostedRuntimes(this.#place),
    });
    return { rows, isAll: true };
  }

  async #readOfCluster(observed: Iterable<Observed>): Promise<Rows> {
    const isAll = this.#mustReadAll;
    // A list that comes meanwhile asks for it again.
    this.#mustReadAll = false;
    if (isAll) this.#failed.clear();
    try {
      const rows = await this.#system.run(
        isAll
          ? listHostedRuntimes(this.#place)
          : listOpenRuntimes(this.#place, [...unwell(observed), ...this.#failed]),
      );
      return { rows, isAll };
    } catch (error) {
      this.#mustReadAll = true;
      throw error;
    }
  }
}

/** Also all whose health nobody but their host checks. */
function* unwell(observed: Iterable<Observed>): Generator<string> {
  for (const { instance_id, phase, ready } of observed)
    if (phase !== 'up' || ready !== true) yield instance_id;
}
