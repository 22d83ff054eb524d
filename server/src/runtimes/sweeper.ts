import type { SeldomLog } from '../platform/seldom-log.ts';
import type { RuntimeMetrics } from './runtime-metrics.ts';
import { nothingSwept, planSweep, type SweepState } from './sweep.ts';

/** Keeps what the sweep of a cluster needs between the engine's full lists. */
export class Sweeper {
  readonly #services: { runtimeMetrics: RuntimeMetrics; seldomLog: SeldomLog };
  #state: SweepState = nothingSwept;
  #list = { ids: new Set<string>(), at: 0 };
  /** undefined: not known yet for this list. */
  #hosted: ReadonlySet<string> | undefined;
  readonly #chosen = new Set<string>();
  #isRefused = false;

  constructor(services: { runtimeMetrics: RuntimeMetrics; seldomLog: SeldomLog }) {
    this.#services = services;
  }

  onFullList(ids: readonly string[]): void {
    this.#list = { ids: new Set(ids), at: performance.now() };
    this.#hosted = undefined;
    this.#isRefused = false;
  }

  /** @param hosted instances with a row here, read after the list */
  compare(hosted: ReadonlySet<string>): void {
    this.#hosted = hosted;
  }

  /** @returns runtimes to remove */
  choose(): readonly string[] {
    if (!this.#hosted) return [];
    const { state, remove, isRefused } = planSweep(this.#state, this.#list, this.#hosted, performance.now());
    this.#state = state;
    for (const id of remove) {
      // It counts again once another list shows it.
      this.#list.ids.delete(id);
      this.#chosen.add(id);
    }
    if (isRefused && !this.#isRefused) this.#refuse(state.since.size);
    this.#isRefused = isRefused;
    return remove;
  }

  /** True once for each runtime that was chosen. */
  take(id: string): boolean {
    return this.#chosen.delete(id);
  }

  #refuse(strangers: number): void {
    this.#services.runtimeMetrics.countRefusedSweep();
    this.#services.seldomLog.error(
      'sweep',
      { strangers, runtimes: this.#list.ids.size },
      'runtimes without an instance here stay, because they are more than a tenth of the cluster: the database may be an older one',
    );
  }
}
