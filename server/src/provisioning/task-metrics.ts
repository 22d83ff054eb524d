import { Counter, type Registry } from 'prom-client';

/** As in the documentation. */
const KINDS = ['deploy', 'join', 'leave', 'move', 'restart', 'start', 'stop', 'terminate', 'upgrade'];

export class TaskMetrics {
  readonly #finished: Counter;

  constructor(registry: Registry) {
    this.#finished = new Counter({
      name: 'acp_tasks_total',
      help: 'Finished tasks, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    // Prometheus sees no increase in a counter that begins with 1.
    for (const kind of KINDS) this.#finished.inc({ kind, outcome: 'failed' }, 0);
  }

  count(kind: string, outcome: string): void {
    this.#finished.inc({ kind: kind === 'provision' ? 'deploy' : kind, outcome });
  }
}
