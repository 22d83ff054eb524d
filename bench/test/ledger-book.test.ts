import { describe, expect, it, vi } from 'vitest';
import { judge } from '../src/ledger/answers.ts';
import { Book } from '../src/ledger/book.ts';
import { Random } from '../src/ledger/random.ts';
import { isClean, tablesOf } from '../src/ledger/table.ts';

const whats = (book: Book) => book.findings.map(({ what, key }) => `${what}: ${key}`);

describe('the ledger', () => {
  it('finds what is lost, doubled and invented, and leaves alone what was tried without an answer', () => {
    const book = new Book();
    for (const key of ['a', 'b', 'c']) book.acknowledge('things', key);
    book.try('things', 'of an unknown fate');
    book.compare('things', ['a', 'c', 'c', 'of an unknown fate', 'of nobody']);
    expect(whats(book)).toEqual(['lost: b', 'doubled: c', 'invented: of nobody']);
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

  it('says which fault struck last, and is not clean then', () => {
    const book = new Book();
    const report = { book, skipped: [{ name: 'disk full', reason: 'no mount' }] };
    expect(isClean(report)).toBe(true);
    book.strike('service killed');
    book.acknowledge('things', 'a');
    book.compare('things', []);
    expect(tablesOf(report)).toMatch(/\| service killed +\| 1 +\| 1 +\| 0 +\| 0 +\|/);
    expect(tablesOf(report)).toMatch(/\| disk full +\| skipped: no mount /);
    expect(isClean(report)).toBe(false);
  });

  it('excuses what happens from a fault on until the service was seen well after it', () => {
    vi.useFakeTimers();
    const book = new Book();
    const isOver = book.strike('service killed');
    const before = book.moment;
    vi.advanceTimersByTime(10);
    isOver();
    // It was looked at while the fault was under way.
    book.recovered(before);
    vi.advanceTimersByTime(10);
    book.recovered(book.moment);
    vi.advanceTimersByTime(10);
    const now = Date.now();
    expect(book.wasInTrouble(now - 15, now)).toBe(true);
    expect(book.wasInTrouble(now - 5, now)).toBe(false);
    vi.useRealTimers();
  });
});

const judged = (status: number, more: { retry_after?: string; detail?: string } = {}) => {
  const book = new Book();
  const { retry_after, detail } = more;
  const isAnswer = judge(book, { asked: 'GET /', status, retry_after, json: { detail } }, [409]);
  return [isAnswer, book.findings.length];
};

describe('an answer of the service', () => {
  it.each([
    ['done', 201, {}, [true, 0]],
    ['done, as the caller knows', 409, {}, [true, 0]],
    ['busy', 503, { retry_after: '1' }, [false, 0]],
    ['limited', 429, { retry_after: '1' }, [false, 0]],
    ['without a database', 503, { detail: 'The database is not reachable' }, [false, 0]],
    ['busy without a word about when to try again', 503, {}, [false, 1]],
    ['broken', 500, { retry_after: '1' }, [false, 1]],
    ['refused', 401, {}, [false, 1]],
  ])('that says %s is judged', (_, status, more, judgement) => {
    expect(judged(status, more)).toEqual(judgement);
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
