import { expect, it } from 'vitest';
import { changed } from '../../src/rules/changes.ts';
import { withFields } from '../../src/rules/objects.ts';
import { areHours } from '../../src/rules/opening-hours.ts';

it('leaves opening hours of another form to the editor', () => {
  expect(areHours({ mon: [['09:00', '17:00']], tue: null })).toBe(true);
  expect(areHours({ monday: [['09:00', '17:00']] })).toBe(false);
  expect(areHours({ mon: '9-17' })).toBe(false);
});

it('changes the fields of an inner object alone', () => {
  const config = { channel_config: { greeting: 'Hello', colour: 'red' }, voice: 1 };
  expect(withFields(config, 'channel_config', { greeting: undefined, away_message: null })).toEqual({
    channel_config: { colour: 'red', away_message: null },
    voice: 1,
  });
  expect(withFields({ channel_config: { greeting: '' } }, 'channel_config', { greeting: undefined })).toEqual(
    {},
  );
});

it('says only what differs from what is stored', () => {
  expect(changed({ name: 'Ana', tags: ['a'], note: null }, { name: 'Ana', tags: ['b'], note: 'x' })).toEqual({
    tags: ['b'],
    note: 'x',
  });
});
