import { Counter, type Registry } from 'prom-client';

interface CounterOptions<Outcome extends string> {
  name: string;
  help: string;
  outcomes: readonly Outcome[];
}

/** With the label `outcome`. */
export class Outcomes<Outcome extends string> {
  readonly #counter: Counter;

  constructor(registry: Registry, { name, help, outcomes }: CounterOptions<Outcome>) {
    this.#counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    // Starts at 0; otherwise Prometheus sees no increase at the first count.
    for (const outcome of outcomes) this.#counter.inc({ outcome }, 0);
  }

  count(outcome: Outcome, count = 1): void {
    if (count > 0) this.#counter.inc({ outcome }, count);
  }
}
