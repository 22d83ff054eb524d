import { describe, expect, it } from 'vitest';
import { spellingsOf } from './address-spellings.ts';

describe('the spellings of an address', () => {
  it.each([
    ['Brazil', '5511987654321', '551187654321'],
    ['Mexico', '5215512345678', '525512345678'],
    ['Argentina', '5491112345678', '541112345678'],
  ])('include both variants of %s, the given spelling first', (_, longer, shorter) => {
    expect(spellingsOf(longer)).toEqual([longer, `+${longer}`, shorter, `+${shorter}`]);
    expect(spellingsOf(`+${shorter}`)).toEqual([`+${shorter}`, shorter, `+${longer}`, longer]);
  });

  it.each([
    ['a Brazilian landline', '551134567890'],
    ['a mobile that a landline would become', '5511934567890'],
    ['a number of another country', '4915112345678'],
    ['a Mexican number that is too long', '52155123456789'],
  ])('have only an optional plus for %s', (_, number) => {
    expect(spellingsOf(number)).toEqual([number, `+${number}`]);
  });

  it.each([['DE.5511987654321'], ['+55 11 98765 4321'], ['']])('are only %j itself', (address) => {
    expect(spellingsOf(address)).toEqual([address]);
  });
});
