import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Outcome of an item of a webhook. */
export type WebhookOutcome = 'stored' | 'duplicate' | 'unknown_number' | 'status' | 'unparseable';

/** `GET /metrics` (Prometheus text format). Each service has a registry of its own, so tests can run several. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'acp_http_request_duration_seconds',
    help: 'Time to answer a request, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [this.registry],
  });
  readonly #webhookMessages = new Counter({
    name: 'acp_channel_messages_total',
    help: 'Items of inbound webhooks, by what became of them',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #tasks = new Counter({
    name: 'acp_tasks_total',
    help: 'Finished tasks, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });

  constructor(
    databaseLoad: () => { open: number; waiting: number },
    counterState: () => { isUp: boolean; failures: number },
    isolation: () => string,
  ) {
    collectDefaultMetrics({ register: this.registry });
    const gauge = new Gauge({
      name: 'acp_database_connections',
      help: 'Connections of the request pool: open, and callers waiting for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect: () => {
        const { open, waiting } = databaseLoad();
        gauge.set({ state: 'open' }, open);
        gauge.set({ state: 'waiting' }, waiting);
      },
    });
    const isolated = new Gauge({
      name: 'acp_runtime_isolation',
      help: 'Whether runtimes are isolated: 1 for the mode that applies (on, off or missing)',
      labelNames: ['mode'],
      registers: [this.registry],
      collect: () => {
        const [applies = ''] = isolation().split(':');
        for (const mode of ['on', 'off', 'missing']) isolated.set({ mode }, Number(mode === applies));
      },
    });
    const counterUp = new Gauge({
      name: 'acp_rate_limit_store_up',
      help: 'Whether the store of the rate limits answers; while it does not, each copy counts for itself',
      registers: [this.registry],
      collect: () => {
        counterUp.set(Number(counterState().isUp));
      },
    });
    const counterFailures = new Counter({
      name: 'acp_rate_limit_store_failures_total',
      help: 'How often the store of the rate limits could not be reached',
      registers: [this.registry],
      collect: () => {
        counterFailures.reset();
        counterFailures.inc(counterState().failures);
      },
    });
  }

  observeRequest(operation: string, status: number, durationMs: number): void {
    this.#requests.observe({ operation, status: String(status) }, durationMs / 1000);
  }

  countWebhook(outcome: WebhookOutcome, count: number): void {
    if (count > 0) this.#webhookMessages.inc({ outcome }, count);
  }

  countTask(kind: string, outcome: string): void {
    this.#tasks.inc({ kind, outcome });
  }
}
