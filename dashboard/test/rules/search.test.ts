import { expect, it } from 'vitest';
import { list, numbers, parseSearch, stringifySearch, texts } from '../../src/routes/search.ts';

const read = (query: string) => list('search', 'expiring')(parseSearch(query));

it('reads texts of an address as they are, whatever they look like', () => {
  expect(read('?search=61400000001&expiring=true')).toEqual({ search: '61400000001', expiring: 'true' });
  expect(read('?search=0412&page=3')).toEqual({ search: '0412', page: 3 });
  expect(read('?search=%22quoted%22&other=1')).toEqual({ search: '"quoted"' });
  expect(read('?search=null&page=1')).toEqual({ search: 'null' });
  expect(read('?search=1e5&page=two')).toEqual({ search: '1e5' });
  expect(read('')).toEqual({});
});

it('writes what it reads', () => {
  for (const search of ['61400000001', 'true', '"', '{}', 'a+b c&d=é'])
    expect(texts('search')(parseSearch(stringifySearch({ search })))).toEqual({ search });
  expect(stringifySearch({ search: '61400000001', page: 2, open: undefined })).toBe(
    '?search=61400000001&page=2',
  );
});

it('reads whole numbers of links and of addresses', () => {
  const within = numbers(1, 'within');
  for (const right of [42, '42']) expect(within({ within: right })).toEqual({ within: 42 });
  for (const wrong of ['0', '-1', '1.5', '', '9'.repeat(20), 'true', undefined, Number.NaN])
    expect(within({ within: wrong })).toEqual({});
});
