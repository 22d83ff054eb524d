import { expect, it } from 'vitest';
import { toolMatcher } from './approval-effects.ts';

it('a rule can match only tools of the servers', () => {
  const canMatch = toolMatcher([{ name: 'crm', allowed_tools: ['find', 'book'] }, { name: 'files' }]);
  const possible = ['crm__find', 'crm__*', 'crm__b*', 'files__anything', 'f*', '*', 'files__r*'];
  const impossible = ['crm__pay', 'crm__p*', 'files', 'files__', 'bank__*', 'crm'];
  expect(possible.filter((tool) => !canMatch(tool))).toEqual([]);
  expect(impossible.filter((tool) => canMatch(tool))).toEqual([]);
});
