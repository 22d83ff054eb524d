import { describe, expect, it } from 'vitest';
import { elementSlug } from './slugs.ts';

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
