import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './contract/about.ts';

/** `GET /metrics` (Prometheus text format). Each service has its own registry, because tests run several. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'acp_http_request_duration_seconds',
    help: 'Time to answer a request, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [this.registry],
  });
  readonly #jobFailures = new Counter({
    name: 'acp_job_failures_total',
    help: 'Runs of jobs that failed and are tried again, by queue',
    labelNames: ['queue'],
    registers: [this.registry],
  });
  constructor(
    databaseLoad: () => { open: number; waiting: number },
    counterState: () => { isUp: boolean; failures: number },
    isRestored: () => boolean,
  ) {
    collectDefaultMetrics({ register: this.registry });
    const restored = new Gauge({
      name: 'acp_database_restored',
      help: 'Whether this start found the database behind the data directory, as after a restore from a backup',
      registers: [this.registry],
      collect: () => {
        restored.set(Number(isRestored()));
      },
    });
    const info = new Gauge({
      name: 'acp_info',
      help: 'The version of the service, as a label',
      labelNames: ['version'],
      registers: [this.registry],
    });
    info.set({ version: VERSION }, 1);
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

  countJobFailures(queue: string, count: number): void {
    this.#jobFailures.inc({ queue }, count);
  }
}
