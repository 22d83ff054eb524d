import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyedSemaphore } from './semaphore.ts';

async function afterTicks<T>(count: number, then: () => T): Promise<T> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
  return then();
}

it('works by one semaphore of a key, also when a place is left just as a turn ends and others begin', async () => {
  for (let leave = 0; leave < 6; leave++) {
    for (let begin = 0; begin < 6; begin++) {
      const turns = new KeyedSemaphore(1, { maxWaiting: 2, refusal: () => new Error('full') });
      const gone = new AbortController();
      let [running, most] = [0, 0];
      const work = async () => {
        most = Math.max(most, ++running);
        await turnOfLoop();
        running--;
      };
      const begun = () => turns.run('key', work);
      const first = turns.run('key', () => afterTicks(1, () => {}));
      const left = turns.run('key', work, gone.signal).catch(() => {});
      const leaving = afterTicks(leave, () => gone.abort(new Error('gone')));
      const others = [afterTicks(begin, begun), afterTicks(begin + 3, begun)];
      await Promise.all([first, left, leaving, ...others]);
      expect(most, `left after ${leave}, begun after ${begin}`).toBe(1);
    }
  }
});
