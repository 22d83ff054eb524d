import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';

const LOOK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const START_SECONDS = [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 120, 300];

export class RuntimeMetrics {
  readonly #restarts: Counter;
  readonly #looks: Histogram;
  readonly #starts: Histogram<'engine'>;
  readonly #refusedSweeps: Counter;
  readonly wakes;

  /** @param isolation `on`, `off` or `missing: …` */
  constructor(registry: Registry, isolation: () => string) {
    this.#restarts = new Counter({
      name: 'acp_runtime_restarts_total',
      help: 'Runtimes of this host that were started again after they had ended by themselves',
      registers: [registry],
    });
    this.#looks = new Histogram({
      name: 'acp_reconcile_seconds',
      help: 'One look at a runtime: reading what is wanted, and asking the engine for the difference',
      buckets: LOOK_SECONDS,
      registers: [registry],
    });
    this.#starts = new Histogram({
      name: 'acp_runtime_start_seconds',
      help: 'From the begin of a start to a runtime that is up',
      labelNames: ['engine'],
      buckets: START_SECONDS,
      registers: [registry],
    });
    this.#refusedSweeps = new Counter({
      name: 'acp_sweeps_refused_total',
      help: 'Sweeps that removed nothing, because more than a tenth of a cluster has no instance here',
      registers: [registry],
    });
    this.wakes = new Outcomes(registry, {
      name: 'acp_wakes_total',
      help: 'Sleeping runtimes that were started for a message: woken (up again) or failed (they sleep on)',
      outcomes: ['woken', 'failed'],
    });
    const isolated = new Gauge({
      name: 'acp_runtime_isolation',
      help: 'Whether runtimes are isolated: 1 for the mode that applies (on, off or missing)',
      labelNames: ['mode'],
      registers: [registry],
      collect: () => {
        const [applies = ''] = isolation().split(':');
        for (const mode of ['on', 'off', 'missing']) isolated.set({ mode }, Number(mode === applies));
      },
    });
  }

  /** @returns call it when the look ends */
  beginLook(): () => void {
    return this.#looks.startTimer();
  }

  observeStart(engine: string, seconds: number): void {
    this.#starts.observe({ engine }, seconds);
  }

  countRefusedSweep(): void {
    this.#refusedSweeps.inc();
  }

  countRestarts(count: number): void {
    this.#restarts.inc(count);
  }
}
