import { expect, it } from 'vitest';
import { costWords, money } from '../../src/rules/money.ts';
import { ago, left, span, took } from '../../src/rules/time.ts';
import { visible } from '../../src/rules/visible-text.ts';
import { bytes, listed, numberWord, plural } from '../../src/rules/words.ts';

const NOW = new Date(2026, 10, 27, 12, 0);
const minutes = (n: number) => new Date(NOW.getTime() + n * 60_000);

it.each([
  [ago(minutes(-0.5), NOW), 'now'],
  [ago(minutes(-14), NOW), '14 min'],
  [ago(minutes(-180), NOW), '3 h'],
  [ago(minutes(-20 * 60), NOW), 'yesterday'],
  [left(minutes(46.5), NOW), '46 min left'],
  [left(minutes(-1), NOW), 'over'],
  [span(99 * 60_000), '1 h 39 min'],
  [span(24 * 3_600_000), '1 day'],
  [took(34), '34 ms'],
  [took(1240), '1.2 s'],
  [money('0.0042'), '$0.0042'],
  [money('4.1'), '$4.10'],
  [costWords('4.1', 120), '$4.10 + 120 calls without a price'],
  [costWords(null, 1), '1 call without a price'],
  [costWords(null), 'no price'],
  [plural(1, 'agent'), '1 agent'],
  [plural(1200, 'agent'), '1,200 agents'],
  [numberWord(6), 'Six'],
  [numberWord(13), '13'],
  [listed(['a', 'b', 'c']), 'a, b and c'],
  [bytes(1536), '1.5 KiB'],
])('says %s', (said, expected) => {
  expect(said).toBe(expected);
});

it('makes characters visible that turn or hide text', () => {
  expect(visible('abc')).toBe('abc');
  expect(visible('invoice\u202Egnp.exe')).not.toContain('\u202E');
  expect(visible('ad\u200Bmin')).not.toBe('admin');
});
