import type { Rollout } from '@agent-control-plane/sdk';

const BECAUSE: Record<NonNullable<Rollout['stopped_because']>, string> = {
  failed_upgrades: 'an upgrade failed',
  refused_messages: 'upgraded agents did not take messages',
  llm_failures: 'calls of models by upgraded agents failed',
  requested: 'somebody stopped it',
  rollback_failed: 'an agent could not go back',
};

export const becauseWords = ({ stopped_because }: Rollout): string =>
  stopped_because === null ? '' : BECAUSE[stopped_because];

/** Batches as people write them: "5, 25, 100". */
export const readBatches = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);

/** The requests that a rollout takes in its state. */
export function requestsOf({
  status,
  stopped_because,
}: Rollout): readonly ('pause' | 'resume' | 'stop' | 'rollback')[] {
  if (status === 'running') return ['pause', 'stop'];
  if (status === 'paused') return ['resume', 'stop', 'rollback'];
  if (status === 'stopped')
    return stopped_because === 'rollback_failed' ? ['rollback'] : ['resume', 'rollback'];
  return status === 'succeeded' ? ['rollback'] : [];
}
