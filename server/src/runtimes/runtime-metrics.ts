import { Counter, Gauge, type Registry } from 'prom-client';

export class RuntimeMetrics {
  readonly #restarts: Counter;

  /** @param isolation `on`, `off` or `missing: …` */
  constructor(registry: Registry, isolation: () => string) {
    this.#restarts = new Counter({
      name: 'acp_runtime_restarts_total',
      help: 'Runtimes of this host that were started again after they had ended by themselves',
      registers: [registry],
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

  countRestarts(count: number): void {
    this.#restarts.inc(count);
  }
}
