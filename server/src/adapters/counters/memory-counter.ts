import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Counter } from '../../platform/ports.ts';
import { LimiterCounter, NO_BOUND } from './limiter-counter.ts';

/** Correct while only one copy of the service runs. */
export class MemoryCounter extends LimiterCounter implements Counter {
  readonly state = { isUp: true, failures: 0 };

  constructor() {
    super(new RateLimiterMemory(NO_BOUND));
  }

  close(): void {}
}
