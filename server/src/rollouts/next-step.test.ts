import { expect, it } from 'vitest';
import { nextStep } from './next-step.ts';
import type { Progress } from './rollout-items.db.ts';
import type { RolloutState } from './rollouts.db.ts';

const NOW = new Date('2026-11-27T12:00:00Z');
const LATER = new Date('2026-11-27T12:05:00Z');

const ROLLOUT: RolloutState = {
  id: '',
  recipe_id: '',
  revision: 2,
  status: 'running',
  batch: 1,
  pause_seconds: 300,
  failed_upgrades: 1,
  refused_messages: null,
  llm_failures: null,
  failed_before: 0,
  refused_before: 0,
  llm_before: 0,
  next_batch_at: null,
  watched_until: null,
  has_gone_back: false,
  ended_at: null,
};
const PROGRESS: Progress = {
  upgrading: 0,
  waiting: 0,
  next_batch: null,
  to_go_back: 0,
  left_behind: 0,
  failed: 0,
  refused: 0,
  llm_failed: 0,
};

const WATCHED = { refused_messages: 3 };

it.each<[string, Partial<RolloutState>, Partial<Progress>, object]>([
  ['begins what waits', {}, { waiting: 2, upgrading: 1, next_batch: 2 }, { do: 'begin' }],
  ['waits for the last of a batch', {}, { upgrading: 1, next_batch: 2 }, { do: 'wait' }],
  ['rests after a batch', {}, { next_batch: 2 }, { do: 'rest', until: LATER }],
  ['rests on', { next_batch_at: LATER }, { next_batch: 2 }, { do: 'wait' }],
  ['enters the next batch', { next_batch_at: NOW }, { next_batch: 2 }, { do: 'enter', batch: 2 }],
  [
    'skips a batch that nobody waits in',
    { next_batch_at: NOW },
    { next_batch: 4 },
    { do: 'enter', batch: 4 },
  ],
  ['succeeds after the last batch', {}, {}, { do: 'succeed' }],
  ['watches after the last batch', WATCHED, {}, { do: 'watch', until: LATER }],
  ['watches on', { ...WATCHED, watched_until: LATER }, {}, { do: 'wait' }],
  ['succeeds after the watch', { ...WATCHED, watched_until: NOW }, {}, { do: 'succeed' }],
  ['stops at once', {}, { waiting: 1, failed: 1 }, { do: 'stop', because: 'failed_upgrades' }],
  [
    'stops before the next batch',
    { next_batch_at: NOW },
    { next_batch: 2, failed: 1 },
    { do: 'stop', because: 'failed_upgrades' },
  ],
  [
    'stops before the end',
    { ...WATCHED, watched_until: NOW },
    { refused: 3 },
    { do: 'stop', because: 'refused_messages' },
  ],
  ['does not stop below the bound', { ...WATCHED, watched_until: NOW }, { refused: 2 }, { do: 'succeed' }],
  ['stops for models', { llm_failures: 2 }, { llm_failed: 2 }, { do: 'stop', because: 'llm_failures' }],
  ['does not count what is not watched', {}, { refused: 9, llm_failed: 9 }, { do: 'succeed' }],
  ['does not stop again for what was seen', { failed_before: 1 }, { failed: 1, waiting: 1 }, { do: 'begin' }],
  ['stops again for more', { failed_before: 1 }, { failed: 2 }, { do: 'stop', because: 'failed_upgrades' }],
])('%s', (_, rollout, progress, step) => {
  expect(nextStep({ ...ROLLOUT, ...rollout }, { ...PROGRESS, ...progress }, NOW)).toEqual(step);
});
