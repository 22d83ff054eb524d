import { describe, expect, it } from 'vitest';
import {
  isSame,
  mergePatch,
  objectWithoutNull,
  patchBetween,
  withValueAt,
} from '../../src/rules/recipe-patch.ts';

const BASE = {
  name: 'Front desk',
  skills: ['staff_query', 'faq'],
  channel_config: { greeting: 'Hello', business_hours: { mon: [['09:00', '17:00']] } },
};

describe('a draft as a merge patch over its revision', () => {
  it.each([
    ['nothing', BASE, {}],
    ['a text', { ...BASE, name: 'Back desk' }, { name: 'Back desk' }],
    ['a field that went', { name: 'Front desk', skills: BASE.skills }, { channel_config: null }],
    ['a whole list', { ...BASE, skills: ['faq'] }, { skills: ['faq'] }],
    [
      'a part of an object',
      { ...BASE, channel_config: { ...BASE.channel_config, greeting: 'Hi', away_message: 'Later' } },
      { channel_config: { greeting: 'Hi', away_message: 'Later' } },
    ],
    [
      'a deep part that went',
      { ...BASE, channel_config: { greeting: 'Hello', business_hours: {} } },
      { channel_config: { business_hours: { mon: null } } },
    ],
    ['a key like those of objects', { ...BASE, constructor: 1 }, { constructor: 1 }],
  ])('has %s', (_, to, patch) => {
    expect(patchBetween(BASE, to)).toEqual(patch);
    expect(mergePatch(BASE, patch)).toEqual(to);
  });

  it('goes on over another revision', () => {
    const mine = patchBetween(BASE, { ...BASE, channel_config: { ...BASE.channel_config, greeting: 'Hi' } });
    const theirs = { ...BASE, channel_config: { greeting: 'Hello', away_message: 'Later' } };
    expect(mergePatch(theirs, mine)).toEqual({
      ...BASE,
      channel_config: { greeting: 'Hi', away_message: 'Later' },
    });
  });
});

it('compares whatever the order of keys', () => {
  expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
  expect(isSame([1], { 0: 1 })).toBe(false);
});

it('sets a value at a path, and takes away what it leaves empty', () => {
  expect(withValueAt({}, ['channel_config', 'greeting'], 'Hi')).toEqual({
    channel_config: { greeting: 'Hi' },
  });
  expect(
    withValueAt({ name: 'A', channel_config: { greeting: 'Hi' } }, ['channel_config', 'greeting'], ''),
  ).toEqual({
    name: 'A',
  });
  expect(withValueAt({ is_active: true }, ['is_active'], false)).toEqual({ is_active: false });
});

it('leaves null out of objects and in lists', () => {
  expect(objectWithoutNull({ a: null, b: { c: null, d: 1 }, e: [null, { f: null }] })).toEqual({
    b: { d: 1 },
    e: [null, { f: null }],
  });
});
