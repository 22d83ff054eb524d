import { expect, it } from 'vitest';
import { MemoryCounter } from '../adapters/counters/memory-counter.ts';
import { LoginThrottle } from './login-throttle.ts';

/** A password check ends later than a mere count. */
const right = () => new Promise<string>((resolve) => setImmediate(resolve, 'account'));
const wrong = async () => undefined;

it('an address that is refused neither locks accounts nor fills the memory with them', async () => {
  const counted = new Set<string>();
  class Watched extends MemoryCounter {
    override count(key: string, window_seconds: number) {
      counted.add(key);
      return super.count(key, window_seconds);
    }
  }
  const throttle = new LoginThrottle(new Watched());
  for (let nth = 1; nth <= 100; nth++) await throttle.attempt(`user-${nth}@example.com`, '192.0.2.1', wrong);
  for (let nth = 1; nth <= 20; nth++) {
    await expect(throttle.attempt('victim@example.com', '192.0.2.1', wrong)).rejects.toThrow(
      'Too many failed logins',
    );
  }
  expect(counted.size).toBe(101);
  await expect(throttle.attempt('victim@example.com', '192.0.2.2', wrong)).resolves.toBeUndefined();
});

it('a login that succeeds does not count', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  for (let nth = 1; nth <= 101; nth++) await throttle.attempt('user@example.com', '192.0.2.1', right);
});

it('logins that succeed do not count while they are looked at', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  const logins = Array.from({ length: 120 }, (_, nth) =>
    throttle.attempt(`user-${nth}@example.com`, '192.0.2.1', right),
  );
  expect(new Set(await Promise.all(logins))).toEqual(new Set(['account']));
});
