import { describe, expect, it } from 'vitest';
import { elementSlug } from '../catalogue/slugs.ts';
import { readConnectionRequirement } from './connection-requirements.ts';

describe('elementSlug', () => {
  it.each([
    ['quote', 'quote'],
    [{ id: 'd', name: 'c', type: 'b', slug: 'a' }, 'a'],
    [{ id: 'd', name: 'c', type: 'b' }, 'b'],
    [{ id: 'd', name: 'c' }, 'c'],
    [{ id: 'd' }, 'd'],
    [{ slug: 1, type: null, name: 'c' }, 'c'],
    [{ label: 'x' }, undefined],
    [['quote'], undefined],
    [null, undefined],
    [7, undefined],
  ])('reads %j as %j', (element, slug) => {
    expect(elementSlug(element)).toBe(slug);
  });
});

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

  it('is optional only when it says true', () => {
    expect(readConnectionRequirement({ provider: 'gmail', optional: true })?.optional).toBe(true);
    expect(readConnectionRequirement({ provider: 'gmail', optional: 'true' })?.optional).toBe(false);
  });

  it.each([[{ optional: false }], [null], [7], [['gmail']]])('knows no provider in %j', (element) => {
    expect(readConnectionRequirement(element)).toBeUndefined();
  });
});
