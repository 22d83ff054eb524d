import { describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import { manyLetters } from '../../test/support/many-letters.ts';
import { TYPED_HOSTNAME } from './websites.contract.ts';
import { normaliseHostname } from './websites.ts';

const LABEL_63 = 'a'.repeat(63);
const NAME_253 = [LABEL_63, LABEL_63, LABEL_63, 'a'.repeat(61)].join('.');

const published = new RegExp(TYPED_HOSTNAME, 'u');

const refuse = (length: number) => expect(normaliseHostname(manyLetters(length))).toBeUndefined();

describe('normaliseHostname', () => {
  it.each([
    ['Shop.Example.COM', 'shop.example.com'],
    ['shop.example.com:8443', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['Shop.example.com.:443', 'shop.example.com'],
    ['localhost', 'localhost'],
    ['1-2.example', '1-2.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    [NAME_253, NAME_253],
    [`${NAME_253}.:65535`, NAME_253],
  ])('reads %s as %s', (text, hostname) => {
    expect(normaliseHostname(text)).toBe(hostname);
    expect(published.test(text)).toBe(true);
  });

  it.each([
    '',
    '.',
    ':80',
    'a..b',
    'a.b..',
    '.a.b',
    '-a.b',
    'a-.b',
    'a_b.c',
    ' a.b',
    'a.b\n',
    'a\tb.ü',
    'a%62.ü',
    'https://a.b',
    'a.b/c',
    'a.b:port',
    'a.b:123456',
    '[::1]:80',
    `a${LABEL_63}.b`,
    `a${NAME_253}`,
    `${NAME_253}a`,
    '\u{1F4A9}\u{FFFD}.b',
  ])('rejects %j', (text) => {
    expect(normaliseHostname(text)).toBeUndefined();
    // A pattern cannot tell which other letters are allowed.
    expect(published.test(text)).toBe(text.startsWith('\u{1F4A9}'));
  });

  it('takes linear time for non-ASCII letters', async () => {
    expect(await growthOf(refuse, 20_000)).toBeLessThan(LESS_THAN_QUADRATIC);
  });
});
