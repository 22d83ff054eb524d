const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/** When something is to be done next, by a clock that may be set or may have slept. */
export interface Due {
  /** How long until then; 0: now. */
  inMs: () => number;
  /** Done: again after this long, give or take a tenth, so that many runtimes do not ask at once. */
  after: (ms: number) => void;
  /** Failed: again after 1 s, twice that at each further failure, at last every 60 s; each time up to a half sooner. */
  retry: () => void;
  /** Failed: again no sooner than that. */
  notBefore: (ms: number) => void;
  soon: () => void;
}

/** Due at once. `now` in milliseconds, `random` from 0 to 1. */
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
    // A clock that was set back must not make it wait for as long as it was set back.
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
