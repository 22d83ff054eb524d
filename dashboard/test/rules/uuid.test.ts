import { expect, it } from 'vitest';
import { newUuid } from '../../src/rules/uuid.ts';

it('is of version 4, and another one each time', () => {
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newUuid()).not.toBe(newUuid());
});
