import { expect, it } from 'vitest';
import { MemoryCounter } from '../adapters/counters/memory-counter.ts';
import { LoginThrottle } from './login-throttle.ts';

/** Resolves later than the counter, like a password check. */
const right = () => new Promise<string>((resolve) => setImmediate(resolve, 'account'));
const wrong = async () => undefined;

const from = (network: string, email = 'user@example.com', isKnown = false) => ({ email, network, isKnown });
const REFUSED = 'Too many failed logins';

it('a refused network neither locks accounts nor stores counts', async () => {
  const counted = new Set<string>();
  class Watched extends MemoryCounter {
    override count(key: string, window_seconds: number) {
      counted.add(key);
      return super.count(key, window_seconds);
    }
  }
  const throttle = new LoginThrottle(new Watched());
  for (let nth = 1; nth <= 100; nth++)
    await throttle.attempt(from('192.0.2.1', `user-${nth}@example.com`), wrong);
  const keys = counted.size;
  for (let nth = 1; nth <= 20; nth++) {
    await expect(throttle.attempt(from('192.0.2.1', 'victim@example.com'), wrong)).rejects.toThrow(REFUSED);
  }
  expect(counted.size).toBe(keys);
  await expect(throttle.attempt(from('192.0.2.2', 'victim@example.com'), wrong)).resolves.toBeUndefined();
});

it('a network refused for one account does not lock it for other networks', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  for (let nth = 1; nth <= 10; nth++) await throttle.attempt(from('192.0.2.1'), wrong);
  for (let nth = 1; nth <= 300; nth++) {
    await expect(throttle.attempt(from('192.0.2.1'), wrong)).rejects.toThrow(REFUSED);
  }
  await expect(throttle.attempt(from('192.0.2.2'), right)).resolves.toBe('account');
});

it('a success does not reset the failures at another account with the address', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  for (let nth = 1; nth <= 10; nth++) {
    await throttle.attempt(from('192.0.2.1'), wrong);
    if (nth < 10) await throttle.attempt(from('192.0.2.1'), right);
  }
  await expect(throttle.attempt(from('192.0.2.1'), wrong)).rejects.toThrow(REFUSED);
});

it('successful logins do not count', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  for (let nth = 1; nth <= 201; nth++) await throttle.attempt(from('192.0.2.1'), right);
});

it('concurrent successful logins do not count as failures', async () => {
  const throttle = new LoginThrottle(new MemoryCounter());
  const logins = Array.from({ length: 120 }, (_, nth) =>
    throttle.attempt(from('192.0.2.1', `user-${nth}@example.com`), right),
  );
  expect(new Set(await Promise.all(logins))).toEqual(new Set(['account']));
});
