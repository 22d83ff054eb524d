import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** `refused`: by a budget, or without a provider. */
const MODEL_OUTCOMES = ['ok', 'failed', 'aborted', 'refused'] as const;
type ModelOutcome = (typeof MODEL_OUTCOMES)[number];

export class ModelMetrics {
  readonly #up: Gauge;
  readonly #requests: Counter;
  readonly #refused: Counter;
  readonly #seconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#up = new Gauge({
      name: 'acp_llm_up',
      help: 'Whether the operator’s model provider answered last; 0 without one',
      registers,
    });
    this.#requests = new Counter({
      name: 'acp_llm_requests_total',
      help: 'Calls of language models, by how they ended',
      labelNames: ['outcome'],
      registers,
    });
    // Start each counter at 0, so that rate() sees its first increase.
    for (const outcome of MODEL_OUTCOMES) this.#requests.inc({ outcome }, 0);
    this.#refused = new Counter({
      name: 'acp_llm_refused_total',
      help: 'Calls that a provider refused for its own reasons: a key, money or room; tenants’ own providers are `tenant`',
      labelNames: ['provider', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'acp_llm_seconds',
      help: 'Time until a call of a language model ended',
      buckets: [0.1, 0.3, 1, 3, 10, 30, 100],
      registers,
    });
  }

  setUp(isUp: boolean): void {
    this.#up.set(Number(isUp));
  }

  /** @param status of the provider's answer */
  countRefused(provider: string, status: number): void {
    this.#refused.inc({ provider, status });
  }

  count(outcome: ModelOutcome, seconds: number): void {
    this.#requests.inc({ outcome });
    if (outcome !== 'refused') this.#seconds.observe(seconds);
  }
}
