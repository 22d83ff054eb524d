import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RuntimeFailures } from './runtime-failures.ts';

const ID = 'instance';
const ended: string[] = [];
let failures: RuntimeFailures;

beforeEach(() => {
  vi.useFakeTimers();
  ended.length = 0;
  failures = new RuntimeFailures((id) => ended.push(id));
});
afterEach(() => void vi.useRealTimers());

it('the pause doubles from 0.2 s to at most 30 s, and starts over after forget', () => {
  const pauses = Array.from({ length: 10 }, () => {
    failures.note(ID, 1, 'crashed');
    expect(failures.of(ID, 1).is_pausing).toBe(true);
    const before = performance.now();
    vi.runAllTimers();
    expect(failures.of(ID, 1).is_pausing).toBe(false);
    return performance.now() - before;
  });
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  expect(ended).toEqual(Array(10).fill(ID));
  failures.forget(ID);
  failures.note(ID, 1, 'crashed');
  vi.advanceTimersByTime(200);
  expect(failures.of(ID, 1)).toMatchObject({ failures: 1, is_pausing: false, reason: 'crashed' });
});

it('a failure during the pause starts the next pause', () => {
  failures.note(ID, 1, 'crashed');
  failures.note(ID, 1, 'out_of_memory');
  vi.advanceTimersByTime(399);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([ID]);
  expect(failures.of(ID, 1)).toMatchObject({ failures: 2, reason: 'out_of_memory' });
});

it('a new generation starts without failures, unless they are carried over', () => {
  const none = { failures: 0, is_pausing: false, reason: null };
  failures.note(ID, 1, 'crashed');
  expect(failures.of(ID, 2)).toEqual(none);
  failures.carryOver(ID, 2);
  expect(failures.of(ID, 2)).toMatchObject({ failures: 1, is_pausing: true });
  failures.note(ID, 3, 'crashed');
  expect(failures.of(ID, 3)).toMatchObject({ failures: 1 });
});

it('each failure has one restart', () => {
  expect(failures.claimRestart(ID, 1)).toBe(false);
  failures.note(ID, 1, 'crashed');
  expect([failures.claimRestart(ID, 1), failures.claimRestart(ID, 1)]).toEqual([true, false]);
  failures.note(ID, 1, 'crashed');
  expect(failures.claimRestart(ID, 1)).toBe(true);
});

it('close ends the pauses', () => {
  failures.note(ID, 1, 'crashed');
  failures.close();
  expect(vi.getTimerCount()).toBe(0);
});
