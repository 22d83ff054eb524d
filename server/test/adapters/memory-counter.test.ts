import { afterEach, expect, it, vi } from 'vitest';
import { MemoryCounter } from '../../src/adapters/counters/memory-counter.ts';

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

it('reports an end within the window after the clock was set back', async () => {
  const counter = new MemoryCounter();
  await counter.count('key', 60);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * HOUR_MS });
  expect(await counter.count('key', 60)).toEqual({ count: 2, ends_in_ms: 60_000 });
});
