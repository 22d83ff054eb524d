import { expect, it } from 'vitest';
import { isCancelable, partsOf, stepsAfter, stepWords } from '../../src/rules/task-steps.ts';

it('knows the steps to come, also before the first one', () => {
  expect(stepsAfter('start', 'start_runtime')).toEqual(['wire_channels', 'wait_for_health']);
  expect(stepsAfter('stop', null)).toEqual(['stop_runtime']);
});

it('counts parts, and names steps that it does not know', () => {
  expect(partsOf({ kind: 'deploy', progress: 50 })).toEqual({ total: 6, done: 3 });
  expect(stepWords('count_the_stars')).toBe('Count the stars');
});

it('cancels only what can be undone', () => {
  expect(isCancelable({ kind: 'deploy', status: 'running' })).toBe(true);
  expect(isCancelable({ kind: 'terminate', status: 'running' })).toBe(false);
  expect(isCancelable({ kind: 'deploy', status: 'canceling' })).toBe(false);
});
