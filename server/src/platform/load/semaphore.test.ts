import { expect, it, onTestFinished, vi } from 'vitest';
import { gate } from '../../../test/support/hold.ts';
import { FairSemaphore, type Permits, type Release, Semaphore, type WaitingLimit } from './semaphore.ts';

// admission.test.ts tests maxWaiting, waitMs and the signal.

const turnOfLoop = () => new Promise(setImmediate);

async function afterTicks(count: number, then: () => unknown): Promise<unknown> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
  return then();
}

/** The first letter of a caller's name is the key. */
function callersOf(permits: Permits, limit: Partial<WaitingLimit> = {}) {
  const semaphore = new FairSemaphore(permits, { refusal: () => new Error('full'), ...limit });
  const releases = new Map<string, Release>();
  const order: string[] = [];
  const refused: string[] = [];
  const end = async (name: string) => {
    (releases.get(name) ?? expect.unreachable(`${name} waits`))();
    await turnOfLoop();
  };
  return {
    semaphore,
    order,
    refused,
    end,
    /** Ends the latest until none waits. */
    endAll: async () => {
      while (semaphore.load.waiting > 0) await end(order.at(-1) ?? '');
    },
    call: async (...names: string[]) => {
      for (const name of names) {
        const noteGrant = (release: Release) => {
          order.push(name);
          releases.set(name, release);
        };
        semaphore.acquire(name.slice(0, 1)).then(noteGrant, () => refused.push(name));
      }
      await turnOfLoop();
    },
  };
}

it('grants its permits in the order of the calls', async () => {
  const { order, call, end } = callersOf({ ofAll: 2 });
  await call('a1', 'a2', 'a3', 'a4');
  expect(order).toEqual(['a1', 'a2']);
  await end('a2');
  expect(order).toEqual(['a1', 'a2', 'a3']);
  await end('a1');
  expect(order).toEqual(['a1', 'a2', 'a3', 'a4']);
});

it('alternates between keys, in order within a key', async () => {
  const { order, call, end } = callersOf({ ofAll: 2 });
  await call('x1', 'y1', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1');
  await end('x1');
  await end('y1');
  await call('d1');
  for (let ended = 2; ended < 7; ended++) await end(order[ended] ?? '');
  expect(order.slice(2)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3']);
});

it('grants no further permit to a key with many while another waits', async () => {
  const { order, call, end } = callersOf({ ofAll: 4 });
  await call('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
  await call('b1', 'b2', 'b3', 'b4');
  await end('a1');
  await end('a2');
  expect(order.slice(4)).toEqual(['b1', 'b2']);
  // Shares are equal from here on.
  await end('b1');
  await end('a3');
  await end('b2');
  expect(order.slice(6)).toEqual(['b3', 'a5', 'b4']);
});

it('limits the permits per key and leaves the rest to others', async () => {
  const { order, call, end } = callersOf({ ofAll: 3, ofOne: 2 });
  await call('a1', 'a2', 'a3', 'b1', 'b2');
  expect(order).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('b2');
  expect(order).toHaveLength(4);
  await end('a1');
  expect(order.at(-1)).toBe('a3');
});

it('refuses the newest caller of the key with most waiting ones when too many wait', async () => {
  const { order, refused, call, endAll } = callersOf({ ofAll: 1 }, { maxWaitingOfAll: 4 });
  await call('x', 'a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'a6', 'b2');
  expect(refused).toEqual(['a5', 'a4', 'a6', 'a3']);
  // Equally many callers: the newest of all is refused.
  await call('b3', 'a7', 'c1', 'd1', 'e1');
  expect(refused.slice(4)).toEqual(['b3', 'a7', 'a2', 'b2', 'e1']);
  await endAll();
  expect(order).toEqual(['x', 'a1', 'b1', 'c1', 'd1']);
});

it('refuses callers beyond the permits of their key, but queues callers for the total', async () => {
  const { refused, order, call, end } = callersOf({ ofOne: 1, ofAll: 1 }, { maxWaiting: 0 });
  await call('a1', 'a2', 'b1', 'b2');
  expect(refused).toEqual(['a2', 'b2']);
  await end('a1');
  expect(order).toEqual(['a1', 'b1']);
});

it('releases a permit only once', async () => {
  const { order, call, end } = callersOf({ ofAll: 1 });
  await call('a1', 'a2', 'a3');
  await end('a1');
  await end('a1');
  expect(order).toEqual(['a1', 'a2']);
});

it('never exceeds the permits of a key when callers leave, end and begin concurrently', async () => {
  for (let leave = 0; leave < 6; leave++) {
    for (let begin = 0; begin < 6; begin++) {
      const semaphore = new FairSemaphore({ ofOne: 1, ofAll: 2 });
      const gone = new AbortController();
      let [running, most] = [0, 0];
      const work = async () => {
        most = Math.max(most, ++running);
        await turnOfLoop();
        running--;
      };
      const begun = () => semaphore.run('key', work);
      const first = semaphore.run('key', () => afterTicks(1, () => {}));
      const left = semaphore.run('key', work, gone.signal).catch(() => {});
      const leaving = afterTicks(leave, () => gone.abort(new Error('gone')));
      const others = [afterTicks(begin, begun), afterTicks(begin + 3, begun)];
      await Promise.all([first, left, leaving, ...others]);
      expect(most, `left after ${leave}, begun after ${begin}`).toBe(1);
    }
  }
});

it('releases the permit of slow work after the soft timeout, and still returns its result', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const semaphore = new FairSemaphore({ ofAll: 1, softTimeoutMs: 100 });
  const { pass, goOn } = gate();
  const stuck = semaphore.run('a', () => pass().then(() => 'stuck'));
  const next = semaphore.run('b', () => Promise.resolve('next'));
  await vi.advanceTimersByTimeAsync(99);
  expect(semaphore.load).toEqual({ held: 1, waiting: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(semaphore.load).toEqual({ held: 0, waiting: 0 });
  expect(await next).toBe('next');
  goOn();
  expect(await stuck).toBe('stuck');
  expect(semaphore.load).toEqual({ held: 0, waiting: 0 });
});

it('runs work in order, and releases the permit of failed work', async () => {
  const semaphore = new Semaphore(1);
  const failed = semaphore.run(() => Promise.reject(new Error('No')));
  const next = semaphore.run(() => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('No');
  expect(await next).toBe('yes');
  expect(semaphore.isFree).toBe(true);
});
