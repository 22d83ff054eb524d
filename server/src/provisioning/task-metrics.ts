import { Counter, type Registry } from 'prom-client';

/** As the documentation names them. */
const KINDS = ['deploy', 'join', 'leave', 'start', 'stop', 'terminate', 'upgrade'];

export class TaskMetrics {
  readonly #finished: Counter;

  constructor(registry: Registry) {
    this.#finished = new Counter({
      name: 'acp_tasks_total',
      help: 'Finished tasks, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    // Without these, the first of its kind would be no increase.
    for (const kind of KINDS) this.#finished.inc({ kind, outcome: 'failed' }, 0);
  }

  count(kind: string, outcome: string): void {
    this.#finished.inc({ kind: kind === 'provision' ? 'deploy' : kind, outcome });
  }
}
