import { expect, it } from 'vitest';
import { instructionsOf, withInstructions } from '../../src/rules/instructions.ts';

it('finds the sentences of rules, and nothing in other shapes', () => {
  expect(instructionsOf({})).toEqual([]);
  expect(instructionsOf({ instructions: ['Be brief.'] })).toEqual(['Be brief.']);
  expect(instructionsOf({ instructions: [{ text: 'Be brief.' }] })).toBeUndefined();
});

it('changes the sentences alone', () => {
  expect(withInstructions({ tone: 'dry', instructions: ['a'] }, ['b'])).toEqual({
    tone: 'dry',
    instructions: ['b'],
  });
  expect(withInstructions({ tone: 'dry', instructions: ['a'] }, [])).toEqual({ tone: 'dry' });
});
