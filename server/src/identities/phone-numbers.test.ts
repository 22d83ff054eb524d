import { describe, expect, it } from 'vitest';
import { addressKey, matchesOf, numberIn } from './phone-numbers.ts';

describe('a phone number', () => {
  it.each([
    '+491711444744',
    '+49 171 1444744',
    '+49-171-1444744',
    '+49.171.1444744',
    '+49 (0) 171 1444-744',
    '(+49) 171/1444744',
    '0049 171 1444744',
    '0171 1444744',
    '01711444744',
    '(0171) 1444-744',
    'whatsapp:+491711444744',
    'WhatsApp:0049 171 1444744',
    '49 171 1444744',
    ' 491711444744 ',
  ])('spelled %j is found by its digits', (spelling) => {
    expect(numberIn(spelling, 'DE')).toBe('491711444744');
    expect(addressKey('chatapp', spelling, 'DE')).toBe('491711444744');
  });

  it.each([
    ['0612345678', 'IT', '390612345678'],
    ['0711 123456', 'CH', '41711123456'],
  ])('%s of %s has the digits %s', (spelling, country, digits) => {
    expect(numberIn(spelling, country)?.slice(0, 4)).toBe(digits.slice(0, 4));
  });
});

describe('other text', () => {
  it.each([
    ['0171 1444744', null],
    ['0171 1444744', 'US'],
    ['171 1444744', 'DE'],
    ['(479) 555-1234', 'US'],
    ['US.13491208655302741918', 'US'],
    ['ana@example.com', 'DE'],
    ['00', 'DE'],
    ['+', 'DE'],
    ['', 'DE'],
  ])('%j of %j is only itself', (text, country) => {
    expect(numberIn(text, country)).toBeUndefined();
    expect(addressKey('chatapp', text, country)).toBe(text);
    expect(matchesOf('chatapp', text, [country])).toEqual([text]);
  });

  it('is a number in its own channel only', () => {
    expect(addressKey('sms', '+49 171 1444744', 'DE')).toBe('+49 171 1444744');
  });
});

it.each([
  ['5511987654321', '551187654321'],
  ['+5215512345678', '525512345678'],
  ['+54 9 11 1234-5678', '541112345678'],
  ['+491711444744', '491711444744'],
])('%s has the key %s', (spelling, key) => {
  expect(addressKey('chatapp', spelling, null)).toBe(key);
});
