import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './contract/about.ts';
import { ModelMetrics } from './model-metrics.ts';

/** Outcome of an item of a webhook. */
const WEBHOOK_OUTCOMES = ['stored', 'duplicate', 'unknown_number', 'status', 'unparseable'] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** The fate of a message on its way to a runtime. `failed`: one try, which is repeated. */
const FORWARD_OUTCOMES = ['delivered', 'failed', 'dead', 'refused'] as const;
export type ForwardOutcome = (typeof FORWARD_OUTCOMES)[number];

/** The answers of the channel's send API. */
const SEND_OUTCOMES = ['accepted', 'unauthorized', 'refused', 'failed', 'unknown'] as const;
export type SendOutcome = (typeof SEND_OUTCOMES)[number];

/** Outcome of an agent's call of a tool. */
const TOOL_OUTCOMES = [
  'ok',
  'tool_error',
  'failed',
  'pin_required',
  'waiting_for_approval',
  'too_many_waiting',
  'too_large',
  'unknown_tool',
] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

/** As tasks.contract.ts has them; a room below cannot import them. */
const TASK_KINDS = ['deploy', 'join', 'leave', 'start', 'stop', 'terminate', 'upgrade'];

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
  readonly #toolCalls = new Counter({
    name: 'acp_gateway_tool_calls_total',
    help: 'Calls of tools by agents, by what became of them',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly #forwarded = new Counter({
    name: 'acp_messages_total',
    help: 'Messages on their way to runtimes: delivered, failed (one try), dead (given up) or refused (too many of a sender)',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #sent = new Counter({
    name: 'acp_outbound_total',
    help: 'Parts of messages that were sent to the channel, by its answer',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #jobFailures = new Counter({
    name: 'acp_job_failures_total',
    help: 'Runs of jobs that failed and are tried again, by queue',
    labelNames: ['queue'],
    registers: [this.registry],
  });
  readonly #restarts = new Counter({
    name: 'acp_runtime_restarts_total',
    help: 'Runtimes of this host that were started again after they had ended by themselves',
    registers: [this.registry],
  });

  readonly models = new ModelMetrics(this.registry);

  constructor(
    databaseLoad: () => { open: number; waiting: number },
    counterState: () => { isUp: boolean; failures: number },
    isolation: () => string,
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
    // Without these, the first of its kind would be no increase.
    for (const kind of TASK_KINDS) this.#tasks.inc({ kind, outcome: 'failed' }, 0);
    for (const outcome of WEBHOOK_OUTCOMES) this.#webhookMessages.inc({ outcome }, 0);
    for (const outcome of TOOL_OUTCOMES) this.#toolCalls.inc({ outcome }, 0);
    for (const outcome of FORWARD_OUTCOMES) this.#forwarded.inc({ outcome }, 0);
    for (const outcome of SEND_OUTCOMES) this.#sent.inc({ outcome }, 0);
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

  countForwarded(outcome: ForwardOutcome, count: number): void {
    this.#forwarded.inc({ outcome }, count);
  }

  countSent(outcome: SendOutcome): void {
    this.#sent.inc({ outcome });
  }

  countJobFailures(queue: string, count: number): void {
    this.#jobFailures.inc({ queue }, count);
  }

  countRestarts(count: number): void {
    this.#restarts.inc(count);
  }

  countToolCall(outcome: ToolOutcome): void {
    this.#toolCalls.inc({ outcome });
  }

  countTask(kind: string, outcome: string): void {
    this.#tasks.inc({ kind, outcome });
  }
}
