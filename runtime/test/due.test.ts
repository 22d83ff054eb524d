import { expect, it } from 'vitest';
import { createDue, type Due } from '../src/due.ts';

function bench(random = 0.5) {
  const clock = { ms: 1_000_000 };
  return {
    clock,
    due: createDue(
      () => clock.ms,
      () => random,
    ),
  };
}

/** With the smallest and the largest random value. */
const waits = (plan: (due: Due) => void) =>
  [0, 1].map((random) => {
    const { due } = bench(random);
    plan(due);
    return Math.round(due.inMs());
  });

it('is due at once, and then after its interval', () => {
  const { clock, due } = bench();
  expect(due.inMs()).toBe(0);
  due.after(1000);
  clock.ms += 999;
  expect(due.inMs()).toBe(1);
  clock.ms += 1;
  expect(due.inMs()).toBe(0);
});

it('is due at once after the clock was set back or the machine slept', () => {
  const { clock, due } = bench();
  due.after(1000);
  clock.ms -= 500_000;
  expect(due.inMs()).toBe(0);
  due.after(1000);
  clock.ms += 500_000;
  expect(due.inMs()).toBe(0);
});

it('backs off until it succeeds', () => {
  const { due } = bench(0);
  const waits = Array.from({ length: 2000 }, () => {
    due.retry();
    return due.inMs();
  });
  expect(waits.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(waits.at(-1)).toBe(60_000);
  due.after(1);
  due.retry();
  expect(due.inMs()).toBe(1000);
});

it('adds jitter: a tenth around a pause, up to half off a retry, never before Retry-After', () => {
  expect(waits((due) => due.after(1000))).toEqual([900, 1100]);
  expect(waits((due) => due.retry())).toEqual([1000, 500]);
  expect(waits((due) => due.notBefore(1000))).toEqual([1000, 1100]);
});
