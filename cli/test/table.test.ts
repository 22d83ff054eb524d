import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Column, tableLines } from '../src/table.ts';
import { safeJson } from '../src/text.ts';

interface Row {
  id: string;
  name: string | null;
}
const COLUMNS: Column<Row>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
];
const rows = [
  { id: '1', name: 'Hafen-Logistik und Söhne' },
  { id: '22', name: '港湾物流株式会社の長い名前' },
  { id: '333', name: null },
];

describe('a table', () => {
  it('has columns as wide as their cells, with wide characters and emoji', () => {
    const [, first = '', second = ''] = tableLines(
      COLUMNS,
      [
        { id: '港', name: 'a' },
        { id: '👩🏽‍🚀x', name: 'b' },
      ],
      Infinity,
    );
    expect([first, second]).toEqual(['港   a', '👩🏽‍🚀x  b']);
  });

  it('is never wider than the terminal: flexible columns are cut first', () => {
    for (const width of [40, 20, 15, 9, 3]) {
      for (const line of tableLines(COLUMNS, rows, width))
        expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
    expect(tableLines(COLUMNS, rows, 16)).toEqual([
      'ID   NAME',
      '1    Hafen-Logi…',
      '22   港湾物流株…',
      '333',
    ]);
  });

  it('keeps untrusted text on one line', () => {
    expect(tableLines(COLUMNS, [{ id: '1', name: 'a\nb\u001b[31m\tc\r' }], Infinity)[1]).toBe('1   a b c');
  });
});

it('JSON has no characters that terminals act on, and the same meaning', () => {
  const value = { text: 'a\u001b[31m\u009b31m\u202e\u2028é' };
  expect(safeJson(value)).toBe('{"text":"a\\u001b[31m\\u009b31m\\u202e\\u2028é"}');
  expect(JSON.parse(safeJson(value, 2))).toEqual(value);
});
