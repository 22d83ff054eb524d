import { afterEach, expect, it, vi } from 'vitest';
import { Renewals } from './renewals.ts';

const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
afterEach(() => void vi.useRealTimers());

it('ten runtimes get a new identity at once, and each end admits the next one', () => {
  const woken: string[] = [];
  const renewals = new Renewals((id) => void woken.push(id));
  const admitted = () => ids.filter((id) => renewals.admit(id));
  expect(admitted()).toEqual(ids.slice(0, 10));
  expect(admitted()).toEqual(ids.slice(0, 10));
  renewals.end('r3');
  renewals.end('r3');
  expect(woken).toEqual(['r10']);
  expect(renewals.admit('r10')).toBe(true);
  expect(renewals.admit('r11')).toBe(false);
});

it('one that does not come up makes room after a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const renewals = new Renewals(() => {});
  for (const id of ids) renewals.admit(id);
  expect(renewals.admit('r11')).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(renewals.admit('r11')).toBe(true);
});
