import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PatientTurns } from './patient-turns.ts';

const HOUR = 3_600_000;

/** Work that ends when it is told to. */
function held(turns: PatientTurns, begun: string[], name: string) {
  const over = new AbortController();
  const ended = once(over.signal, 'abort').then(() => name);
  const work = turns.run(() => {
    begun.push(name);
    return ended;
  });
  return { work, end: () => over.abort() };
}

it('runs as many at once as there are places, in the order of the calls', async () => {
  const turns = new PatientTurns(2, HOUR);
  const begun: string[] = [];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => held(turns, begun, name));
  await setImmediate();
  expect(begun).toEqual(['one', 'two']);
  two?.end();
  expect(await two?.work).toBe('two');
  await setImmediate();
  expect(begun).toEqual(['one', 'two', 'three']);
  one?.end();
  three?.end();
  expect(await Promise.all([one?.work, three?.work])).toEqual(['one', 'three']);
});

it('counts what takes long no more, and still waits for it', async () => {
  const turns = new PatientTurns(1, 10);
  const begun: string[] = [];
  const stuck = held(turns, begun, 'stuck');
  const next = held(turns, begun, 'next');
  next.end();
  expect(await next.work).toBe('next');
  stuck.end();
  expect(await stuck.work).toBe('stuck');
});

it('gives the place of work that fails to the next', async () => {
  const turns = new PatientTurns(1, HOUR);
  await expect(turns.run(() => Promise.reject(new Error('No')))).rejects.toThrow('No');
  expect(await turns.run(() => Promise.resolve('yes'))).toBe('yes');
});
