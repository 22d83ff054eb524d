import type { FieldDocs } from '../platform/contract/wording.ts';

export const rolloutsDocs: FieldDocs = {
  texts: {
    stop_when: 'What stops the rollout by itself',
    waiting: 'Instances whose batch has not begun',
    upgrading: 'Instances whose upgrade is under way',
    upgraded: 'Instances that have the revision',
    'counts.failed': 'Instances whose upgrade failed, or that could not go back',
    skipped: 'Instances whose upgrade did not begin',
    rolled_back: 'Instances that have their former revision again',
  },
  examples: {
    rollout_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a21',
    'Rollouts.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a21',
    from_revision: 2,
    batch: 2,
    batches: [5, 25, 100],
    pause_seconds: 300,
    failed_upgrades: 1,
    refused_messages: null,
    llm_failures: 20,
    next_batch_at: '2026-11-20T09:05:00.000Z',
    stopped_because: null,
    ended_at: null,
  },
};
