import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { hashSync } from '@node-rs/argon2';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Argon2Hasher } from '../../src/adapters/argon2-hasher.ts';
import { HashThread } from '../../src/adapters/hash-thread.ts';

const US = { tenant_id: 'us' };

/** Replies with the plaintext, or to `id` with its thread id. Exits at `die`, throws at `throw`. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ plaintext }) => {
      if (plaintext === 'die') process.exit();
      if (plaintext === 'throw') setImmediate(() => { throw new Error('Thrown'); });
      else parentPort.postMessage({ result: plaintext === 'id' ? threadId : plaintext });
    });`)}`,
);

/** The niceness of a thread of this process (proc(5), field 19); undefined: it has ended. */
const nicenessOf = (id: string) => {
  try {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  } catch {
    return undefined;
  }
};

/** Counts the threads that keep this process alive. */
const liveThreads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

it('verifies what it hashed, and nothing else', async () => {
  const hasher = new Argon2Hasher();
  const hashed = await hasher.hash('4711', US);
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(hashed, '4711', US)).toBe(true);
  expect(await hasher.verify(hashed, '4712', US)).toBe(false);
  await expect(hasher.verify('no hash', '4711', US)).rejects.toThrow();
  expect(await hasher.verify(hashed, '4711', US)).toBe(true);
});

it('verifies against several hashes in one call', async () => {
  const hasher = new Argon2Hasher({ threads: 1 });
  const [one, two] = [await hasher.hash('4711', US), await hasher.hash('4712', US)];
  const done: string[] = [];
  const first = hasher.verifyEach([one, two, one], '4711', US).then((right) => {
    done.push('each');
    return right;
  });
  await hasher.verify(one, '4711', US).then(() => done.push('next'));
  expect(await first).toEqual([true, false, true]);
  expect(done).toEqual(['each', 'next']);
});

it.skipIf(process.platform !== 'linux')('hashes at low priority', async () => {
  const own = getPriority();
  const low = Math.min(own + 10, 19);
  // Idle threads of other tests may end meanwhile.
  const before = new Set(readdirSync('/proc/self/task'));
  await new Argon2Hasher({ threads: 1 }).hash('4711', US);
  expect(getPriority()).toBe(own);
  const added = readdirSync('/proc/self/task').filter((id) => !before.has(id));
  expect(added.map(nicenessOf).filter((niceness) => niceness === low)).toHaveLength(1);
});

it('pauses between two hashes, even cheap ones', async () => {
  const cheap = hashSync('4711', { memoryCost: 8, timeCost: 1 });
  const hasher = new Argon2Hasher({ threads: 1 });
  await hasher.verify(cheap, '4711', US);
  const began = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => hasher.verify(cheap, '4711', US)));
  expect(performance.now() - began).toBeGreaterThan(190);
});

it('rejects calls when the queue is full, and completes the queued ones', async () => {
  const hasher = new Argon2Hasher({ threads: 1, maxWaiting: 2 });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => hasher.hash(String(n), US)));
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(results[3]).toMatchObject({ reason: { code: 'rate_limited' } });
  expect(await hasher.hash('6', US)).toBeTypeOf('string');
});

it('alternates between tenants and addresses, however many of one kind wait', async () => {
  const hasher = new Argon2Hasher({ threads: 1, maxWaiting: 6 });
  const done: string[] = [];
  const us = [1, 2, 3].map((n) => ({ name: `us ${n}`, whom: US }));
  const addresses = [1, 2, 3].map((n) => ({ name: `address ${n}`, whom: { address: String(n) } }));
  const them = { name: 'them', whom: { tenant_id: 'them' } };
  // A tenant has a queue of its own, even if an address has the same name.
  const namesake = { name: 'namesake', whom: { tenant_id: '1' } };
  const hashAll = [...us, ...addresses, them, namesake].map(async ({ name, whom }) => {
    await hasher.hash('4711', whom);
    done.push(name);
  });
  await Promise.all(hashAll);
  expect(done).toEqual(['us 1', 'address 1', 'them', 'address 2', 'namesake', 'address 3', 'us 2', 'us 3']);
});

it('blocks neither the event loop nor the end of the process', async () => {
  const hasher = new Argon2Hasher({ threads: 2 });
  const before = liveThreads();
  const ticksOfFour = async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await Promise.all([1, 2, 3, 4].map((n) => hasher.hash(String(n), US)));
    clearInterval(timer);
    return ticks;
  };
  let most = 0;
  for (let round = 0; round < 100 && most <= 8; round++) most = Math.max(most, await ticksOfFour());
  // Hashing on the event loop would allow one tick between two hashes.
  expect(most).toBeGreaterThan(8);
  // A thread that ends after its idle minute counts for a moment.
  await expect.poll(liveThreads).toBeLessThanOrEqual(before);
});

it.each(['die', 'throw'])('replaces a thread that has ended: %s', async (how) => {
  const thread = new HashThread(ECHO);
  expect(await thread.run({ plaintext: 'one' })).toBe('one');
  await expect(thread.run({ plaintext: how })).rejects.toThrow('The hashing thread has ended');
  expect(await thread.run({ plaintext: 'two' })).toBe('two');
});

it('ends a thread after an idle minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const thread = new HashThread(ECHO);
  const first = await thread.run({ plaintext: 'id' });
  for (let time = 0; time < 2; time++) {
    vi.advanceTimersByTime(59_999);
    expect(await thread.run({ plaintext: 'id' })).toBe(first);
  }
  vi.advanceTimersByTime(60_000);
  const second = await thread.run({ plaintext: 'id' });
  expect(second).not.toBe(first);
  vi.advanceTimersByTime(59_999);
  expect(await thread.run({ plaintext: 'id' })).toBe(second);
});
