import { describe, expect, it } from 'vitest';
import { Book } from '../src/ledger/book.ts';
import { Random } from '../src/ledger/random.ts';
import { isClean, tablesOf } from '../src/ledger/table.ts';

const whats = (book: Book) => book.findings.map(({ what, key }) => `${what}: ${key}`);

describe('the ledger', () => {
  it('finds what is lost and what is doubled, and leaves alone what nobody acknowledged', () => {
    const book = new Book();
    for (const key of ['a', 'b', 'c']) book.acknowledge('things', key);
    book.compare('things', ['a', 'c', 'c', 'of an unknown fate']);
    expect(whats(book)).toEqual(['lost: b', 'doubled: c']);
  });

  it('finds what stands before something earlier', () => {
    const book = new Book();
    book.compareOrder('things', ['1', '2', '3'], ['1', '3', '2']);
    expect(whats(book)).toEqual(['out of order: 2']);
  });

  it('takes the last acknowledged value or one whose fate nobody knew, and no other', () => {
    const book = new Book();
    book.compareValue('values', 'v', '4', new Set(['3', '4']));
    expect(book.findings).toEqual([]);
    book.compareValue('values', 'v', '2', new Set(['3', '4']));
    expect(whats(book)).toEqual(['lost: v: 2, not 3 or 4']);
  });

  it('says which fault struck last, and is not clean after a wrong answer either', () => {
    const book = new Book();
    const report = { book, skipped: [{ name: 'disk full', reason: 'no mount' }], ownEnds: 0 };
    expect(isClean(report)).toBe(true);
    book.strike('service killed');
    book.acknowledge('things', 'a');
    book.compare('things', []);
    expect(tablesOf(report)).toMatch(/\| service killed +\| 1 +\| 1 +\| 0 +\| 0 +\|/);
    expect(tablesOf(report)).toMatch(/\| disk full +\| skipped: no mount /);
    expect(isClean(report)).toBe(false);
    const refused = new Book();
    refused.wrongAnswers.push('GET / answered 401');
    expect(isClean({ ...report, book: refused })).toBe(false);
  });
});

const draw = (seed: number) => {
  const random = new Random(seed);
  return [random.between(0, 1000), random.between(5, 7), ...random.shuffled([1, 2, 3, 4, 5, 6, 7, 8])];
};

it('draws the same from the same seed', () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});
