import { expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import { meaningOf } from './workers.ts';

it.each([
  'yes',
  'Y',
  ' Ja! ',
  'sí',
  'OK',
  'Confirm.',
  '1',
  'true',
  '👍',
  '👍🏽',
  'Approve',
  'Yes please',
  'Yes, that’s me!',
  'I confirm',
  'YES 👍',
  'ok👍🏽👍',
  'Yes, yes!',
  'That is me',
])('takes %j for a yes', (response) => {
  expect(meaningOf(response)).toBe('yes');
});

it.each([
  'no',
  'N',
  'Nein.',
  '0',
  '👎🏿',
  'Decline',
  'No, thanks.',
  'Not me',
  "that's not me",
  'No no',
  'Nope 👎',
  'No, it is not me',
])('takes %j for a no', (response) => {
  expect(meaningOf(response)).toBe('no');
});

it.each([
  '',
  'who is this?',
  'yes and no',
  'yes no',
  '👍👎',
  'yesterday',
  'not sure',
  'yes, who is this?',
  '1234',
])('takes %j for neither', (response) => {
  expect(meaningOf(response)).toBe('unclear');
});

it('reads a long response in linear time', async () => {
  expect(await growthOf((length) => meaningOf(`yes${','.repeat(length)}yes`), 200_000)).toBeLessThan(
    LESS_THAN_QUADRATIC,
  );
});
