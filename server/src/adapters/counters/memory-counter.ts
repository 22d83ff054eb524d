import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Counter } from '../../platform/ports.ts';
import { LimiterCounter, NO_BOUND } from './limiter-counter.ts';

/** Counts in this process: right as long as it is the only copy of the service. */
export class MemoryCounter extends LimiterCounter implements Counter {
  readonly state = { isUp: true, failures: 0 };

  constructor() {
    super(new RateLimiterMemory(NO_BOUND));
  }

  close(): void {}
}
