import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Observed, RuntimeReason } from './engine.port.ts';
import { type Action, type Desired, MAX_FAILURES, plan, planUnreached } from './runtime-plan.ts';

const NOW = 1_000_000;
const ID = 'instance';
const START_TIMEOUT_MS = 90_000;

const wanted: Desired = {
  wanted: true,
  generation: 2,
  spec_hash: 'a',
  since: NOW,
  was_up: false,
  has_given_up: false,
  failures: 0,
  is_pausing: false,
  is_begun_elsewhere: false,
  start_timeout_ms: START_TIMEOUT_MS,
};

const up: Observed = {
  instance_id: ID,
  generation: 2,
  spec_hash: 'a',
  phase: 'up',
  reason: null,
  last_line: null,
  address: 'http://runtime.invalid',
  restarts: 0,
  exit_code: null,
  at: NOW,
};
const gone: Observed = { ...up, phase: 'gone', address: null };
const starting: Observed = { ...up, phase: 'starting', address: null };
const ending: Observed = { ...up, phase: 'ending', address: null };
const LATE = { since: NOW - START_TIMEOUT_MS };

it.each<[string, Partial<Desired>, Observed | undefined, Action]>([
  ['wanted and missing', {}, undefined, 'ensure'],
  ['wanted and starting', {}, starting, 'wait'],
  ['wanted and up', {}, up, 'wait'],
  ['wanted while the previous one ends', {}, { ...ending, generation: 1 }, 'wait'],
  ['of an earlier generation', {}, { ...up, generation: 1 }, 'remove'],
  ['of a later generation, after a restored backup', {}, { ...up, generation: 3 }, 'remove'],
  ['of another specification', {}, { ...up, spec_hash: 'b' }, 'replace'],
  ['of an unknown specification', { spec_hash: null }, { ...up, spec_hash: 'b' }, 'wait'],
  ['unwanted and up', { wanted: false }, up, 'remove'],
  ['unwanted and starting', { wanted: false }, starting, 'remove'],
  ['unwanted and ending', { wanted: false }, ending, 'wait'],
  ['ending, after the clock was set back', { wanted: false }, { ...ending, at: NOW + 3_600_000 }, 'remove'],
  ['ending for too long', { wanted: false }, { ...ending, at: 0 }, 'remove'],
  ['unwanted and gone', { wanted: false }, gone, 'wait'],
  ['failed, in its pause', { is_pausing: true, failures: 1 }, { ...gone, reason: 'crashed' }, 'wait'],
  ['failed, after its pause', { failures: 1 }, { ...gone, reason: 'crashed' }, 'ensure'],
  ['failed often', { failures: MAX_FAILURES }, { ...gone, reason: 'crashed' }, { fail: 'crashed' }],
  ['failed often after it was up', { failures: 99, was_up: true }, { ...gone, reason: 'crashed' }, 'ensure'],
  ['refused', {}, { ...gone, reason: 'spec_rejected' }, { fail: 'spec_rejected' }],
  ['refused in an earlier generation', {}, { ...gone, generation: 1, reason: 'spec_rejected' }, 'ensure'],
  ['without an image', {}, { ...starting, reason: 'image_pull_failed' }, 'wait'],
  [
    'without an image for as long as its engine tries',
    {},
    { ...gone, reason: 'image_pull_failed' },
    { fail: 'image_pull_failed' },
  ],
  ['without an image after it was up', { was_up: true }, { ...gone, reason: 'image_pull_failed' }, 'ensure'],
  ['too late without a reason', LATE, starting, { fail: 'start_timeout' }],
  ['too late with a reason', LATE, { ...starting, reason: 'unschedulable' }, { fail: 'unschedulable' }],
  ['too late, but it was up', { ...LATE, was_up: true }, starting, 'wait'],
  ['given up', { has_given_up: true }, gone, 'wait'],
  ['given up and still starting', { has_given_up: true }, starting, 'remove'],
  ['needs a new identity', { was_up: true }, { ...gone, reason: 'crashed', exit_code: 75 }, 'replace'],
  [
    'needed a new identity in an earlier generation',
    { was_up: true },
    { ...gone, generation: 1, exit_code: 75 },
    'ensure',
  ],
  [
    'refused an identity at its first start',
    {},
    { ...gone, reason: 'crashed', exit_code: 75 },
    { fail: 'identity_refused' },
  ],
  ['evicted', { was_up: true }, { ...gone, reason: 'evicted' }, 'replace'],
  ['evicted before it was up', {}, { ...gone, reason: 'evicted' }, 'replace'],
  ['evicted, in its pause', { is_pausing: true, failures: 1 }, { ...gone, reason: 'evicted' }, 'wait'],
  [
    'evicted often before it was up',
    { failures: MAX_FAILURES },
    { ...gone, reason: 'evicted' },
    { fail: 'evicted' },
  ],
  ['on a lost node', { was_up: true }, { ...gone, reason: 'node_lost' }, 'replace'],
  ['evicted in an earlier generation', {}, { ...gone, generation: 1, reason: 'evicted' }, 'ensure'],
  ['restarted by its engine', {}, { ...starting, reason: 'crashed', restarts: 1 }, 'wait'],
  [
    'restarted often by its engine',
    {},
    { ...starting, reason: 'crashed', restarts: MAX_FAILURES },
    { fail: 'crashed' },
  ],
  [
    'restarted often by its engine after it was up',
    { was_up: true },
    { ...starting, reason: 'crashed', restarts: 99 },
    'wait',
  ],
  ['begun elsewhere and missing', { is_begun_elsewhere: true }, undefined, 'replace'],
  ['begun elsewhere and starting', { is_begun_elsewhere: true }, starting, 'wait'],
  [
    'begun elsewhere and crashed',
    { is_begun_elsewhere: true, was_up: true },
    { ...gone, reason: 'crashed' },
    'ensure',
  ],
])('%s', (_, desired, observed, action) => {
  expect(plan({ ...wanted, ...desired }, observed, NOW)).toEqual(action);
});

it.each<[string, Partial<Desired>, Action]>([
  ['starting', {}, 'wait'],
  ['starting for too long', LATE, { fail: 'cluster_unreachable' }],
  ['that was up', { ...LATE, was_up: true }, 'wait'],
  ['unwanted', { ...LATE, wanted: false }, 'wait'],
  ['given up', { ...LATE, has_given_up: true }, 'wait'],
])('without its engine: %s', (_, desired, action) => {
  expect(planUnreached({ ...wanted, ...desired }, NOW)).toEqual(action);
});

/** An engine in memory. Its full list is correct, but changes may be lost, repeated or late. */
class Model {
  now = NOW;
  desired: Desired = { ...wanted, generation: 0, wanted: false, spec_hash: null };
  /** By generation. */
  readonly existing = new Map<number, Observed>();
  seen: Observed | undefined;
  readonly changes: Observed[] = [];

  #become(observed: Observed): void {
    const changed = { ...observed, at: this.now };
    if (changed.phase === 'gone') this.existing.delete(changed.generation);
    else this.existing.set(changed.generation, changed);
    this.changes.push(changed);
    const alive = [...this.existing.values()].filter(({ phase }) => phase === 'up');
    expect(alive.length).toBeLessThanOrEqual(1);
  }

  start(): void {
    if (this.desired.wanted) return;
    const generation = this.desired.generation + 1;
    const fresh = { was_up: false, has_given_up: false, failures: 0, is_pausing: false, since: this.now };
    this.desired = { ...this.desired, ...fresh, wanted: true, generation };
  }

  stop(): void {
    this.desired = { ...this.desired, wanted: false, has_given_up: false };
  }

  /** The runtime comes up, ends or crashes. */
  live(exit?: { reason: RuntimeReason; exit_code: number | null }): void {
    const [one] = this.existing.values();
    if (!one) return;
    if (one.phase === 'ending') this.#become({ ...one, phase: 'gone' });
    else if (exit) this.#become({ ...one, ...exit, phase: 'gone', address: null });
    else if (one.phase === 'starting') this.#become({ ...one, phase: 'up', address: 'there' });
  }

  /** Delivers the full list, or any change, perhaps again. */
  deliver(which: number, isList: boolean): void {
    const observed = isList
      ? [...this.existing.values()][0]
      : this.changes[which % Math.max(1, this.changes.length)];
    if (!isList && !observed) return;
    this.seen = observed;
    if (observed?.phase === 'up' && observed.generation === this.desired.generation)
      this.desired.was_up = true;
    if (observed?.phase === 'gone' && observed.reason) this.desired.failures++;
  }

  act(): void {
    const action = plan(this.desired, this.seen, this.now);
    const [one] = this.existing.values();
    if (action === 'replace') this.desired = { ...this.desired, generation: this.desired.generation + 1 };
    // An engine starts no second runtime.
    else if (action === 'ensure' && !one)
      this.#become({ ...starting, generation: this.desired.generation, reason: null });
    else if (action === 'remove' && one && one.phase !== 'ending') this.#become({ ...one, phase: 'ending' });
    else if (typeof action === 'object') this.desired = { ...this.desired, has_given_up: true };
  }
}

const step = fc.oneof(
  fc.constant((model: Model) => model.start()),
  fc.constant((model: Model) => model.stop()),
  fc.constant((model: Model) => model.live()),
  fc.constant((model: Model) => model.act()),
  fc
    .constantFrom(null, 1, 75)
    .map((exit_code) => (model: Model) => model.live({ reason: 'crashed', exit_code })),
  fc.nat(20).map((which) => (model: Model) => model.deliver(which, false)),
  fc.integer({ min: 1, max: 1000 }).map((ms) => (model: Model) => {
    model.now += ms;
  }),
);

it('any history ends in the wanted state, and never has two runtimes up', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isWanted) => {
      const model = new Model();
      for (const apply of steps) apply(model);
      model.stop();
      if (isWanted) model.start();
      const last = model.desired.generation;
      // From now on nothing crashes, and full lists arrive.
      for (let round = 0; round < 12; round++) {
        model.now += 1000;
        model.deliver(0, true);
        model.act();
        model.live();
      }
      const [left] = model.existing.values();
      if (!isWanted) expect(left).toBeUndefined();
      else
        expect(left).toMatchObject({ phase: 'up', generation: expect.toSatisfy((g: number) => g >= last) });
      expect(left?.generation ?? model.desired.generation).toBe(model.desired.generation);
    }),
    { numRuns: 500 },
  );
});
