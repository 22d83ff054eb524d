const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/** Schedules a task's next run by a wall clock, which may be set or sleep. */
export interface Due {
  /** 0 when due. */
  inMs: () => number;
  /** After a success. Varies by a tenth, so that runtimes do not call at the same time. */
  after: (ms: number) => void;
  /** After a failure: exponential backoff from 1 s to 60 s, with jitter of up to half. */
  retry: () => void;
  /** After a failure with a Retry-After. */
  notBefore: (ms: number) => void;
  soon: () => void;
}

/** Due at once. @param now in milliseconds @param random from 0 to 1 */
export function createDue(now: () => number, random: () => number): Due {
  let failures = 0;
  let from = 0;
  let waitMs = 0;

  function wait(ms: number): void {
    from = now();
    waitMs = ms;
  }
  function inMs(): number {
    const passed = now() - from;
    // After the clock was set back, the task is due at once.
    return passed < 0 ? 0 : Math.max(0, waitMs - passed);
  }

  return {
    inMs,
    after: (ms) => {
      failures = 0;
      wait(ms * (0.9 + 0.2 * random()));
    },
    retry: () => wait(Math.min(firstRetryMs * 2 ** failures++, longestRetryMs) * (1 - random() / 2)),
    notBefore: (ms) => wait(ms * (1 + random() / 10)),
    soon: () => wait(0),
  };
}
