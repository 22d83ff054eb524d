import { describe, expect, it } from 'vitest';
import { readConnectionRequirement } from './connection-requirements.ts';

describe('readConnectionRequirement', () => {
  it.each([
    ['gmail', 'gmail', null],
    [{ name: 'gmail' }, 'gmail', null],
    [{ name: 'gmail', id: 'x' }, 'gmail', null],
    [{ id: 'gmail' }, 'gmail', null],
    [{ provider: 'gmail', slug: 'other', name: 'sales' }, 'gmail', 'sales'],
    [{ slug: 'gmail', name: 'sales' }, 'gmail', 'sales'],
    [{ type: 'gmail', name: 'sales' }, 'gmail', 'sales'],
    [{ provider: 'gmail', name: 7 }, 'gmail', null],
    [{ provider: 7, type: 'gmail' }, 'gmail', null],
  ])('reads %j as provider %j, name %j', (element, provider, name) => {
    expect(readConnectionRequirement(element)).toEqual({ provider, name, optional: false });
  });

  it('is optional only where `optional` is true', () => {
    expect(readConnectionRequirement({ provider: 'gmail', optional: true })?.optional).toBe(true);
    expect(readConnectionRequirement({ provider: 'gmail', optional: 'true' })?.optional).toBe(false);
  });

  it.each([[{ optional: false }], [null], [7], [['gmail']]])('finds no provider in %j', (element) => {
    expect(readConnectionRequirement(element)).toBeUndefined();
  });
});
