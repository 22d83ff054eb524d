import { expect, it } from 'vitest';
import { nothingSwept, planSweep } from './sweep.ts';

const MINUTE = 60_000;
const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const OWN = names(270, 'own');
const STRANGERS = names(30, 'stranger');
const hosted = new Set(OWN);
const listAt = (at: number, ids: readonly string[] = [...OWN, ...STRANGERS]) => ({ ids: new Set(ids), at });

/** The state after a first list showed the strangers. */
const first = planSweep(nothingSwept, listAt(0), hosted, 0).state;

it('removes nothing before a second full list a minute later', () => {
  expect(planSweep(nothingSwept, listAt(0), hosted, 0).remove).toEqual([]);
  expect(planSweep(first, listAt(0), hosted, 10 * MINUTE).remove).toEqual([]);
  expect(planSweep(first, listAt(MINUTE - 1), hosted, MINUTE).remove).toEqual([]);
});

it('removes 20 a minute, and the others later', () => {
  const { remove, state } = planSweep(first, listAt(MINUTE), hosted, MINUTE);
  expect(remove).toEqual(STRANGERS.slice(0, 20));
  const left = listAt(MINUTE, [...OWN, ...STRANGERS.slice(20)]);
  const soon = planSweep(state, left, hosted, MINUTE + 5000);
  expect(soon.remove).toEqual([]);
  expect(planSweep(soon.state, left, hosted, 2 * MINUTE).remove).toEqual(STRANGERS.slice(20));
});

it.each([
  ['one more than a tenth', [...OWN.slice(1), ...STRANGERS], hosted],
  ['all of an empty database', [...OWN, ...STRANGERS], new Set<string>()],
  ['one of a small cluster', [...OWN.slice(0, 8), 'stranger0'], hosted],
])('removes nothing of %s', (_, ids, rows) => {
  const { state } = planSweep(nothingSwept, listAt(0, ids), rows, 0);
  expect(planSweep(nothingSwept, listAt(0, ids), rows, 0).isRefused).toBe(false);
  expect(planSweep(state, listAt(MINUTE, ids), rows, MINUTE)).toMatchObject({ remove: [], isRefused: true });
});

it('new strangers count for the tenth at once', () => {
  const { remove, isRefused } = planSweep(first, listAt(MINUTE), new Set(OWN.slice(1)), MINUTE);
  expect([remove, isRefused]).toEqual([[], true]);
});

it('one that got its row, or was gone meanwhile, begins anew', () => {
  const known = planSweep(first, listAt(MINUTE - 1), new Set([...OWN, ...STRANGERS]), MINUTE - 1).state;
  expect(planSweep(known, listAt(MINUTE), hosted, MINUTE).remove).toEqual([]);
  const gone = planSweep(first, listAt(MINUTE - 1, OWN), hosted, MINUTE - 1).state;
  expect(planSweep(gone, listAt(MINUTE), hosted, MINUTE).remove).toEqual([]);
});
