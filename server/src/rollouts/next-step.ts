import type { Progress } from './rollout-items.db.ts';
import type { StopReason } from './rollouts.contract.ts';
import type { RolloutState } from './rollouts.db.ts';

type NextStep =
  | { do: 'stop'; because: StopReason }
  /** Waiting instances of the batch begin, as far as there is room. */
  | { do: 'begin' }
  /** Upgrades are under way, or a pause. */
  | { do: 'wait' }
  | { do: 'rest'; until: Date }
  | { do: 'enter'; batch: number }
  | { do: 'watch'; until: Date }
  | { do: 'succeed' };

/** The next step of a rollout that runs. */
export function nextStep(rollout: RolloutState, progress: Progress, now: Date): NextStep {
  const because = reachedBound(rollout, progress);
  if (because) return { do: 'stop', because };
  if (progress.waiting > 0) return { do: 'begin' };
  if (progress.upgrading > 0) return { do: 'wait' };
  const later = new Date(now.getTime() + rollout.pause_seconds * 1000);
  const { next_batch_at, watched_until } = rollout;
  if (progress.next_batch !== null) {
    if (next_batch_at === null) return { do: 'rest', until: later };
    return next_batch_at <= now ? { do: 'enter', batch: progress.next_batch } : { do: 'wait' };
  }
  if (!isWatched(rollout)) return { do: 'succeed' };
  if (watched_until === null) return { do: 'watch', until: later };
  return watched_until <= now ? { do: 'succeed' } : { do: 'wait' };
}

/** Beyond failed upgrades, which are seen when they end. */
export const isWatched = ({
  refused_messages,
  llm_failures,
}: Pick<RolloutState, 'refused_messages' | 'llm_failures'>): boolean =>
  refused_messages !== null || llm_failures !== null;

function reachedBound(rollout: RolloutState, progress: Progress): StopReason | undefined {
  const { failed_upgrades, refused_messages, llm_failures } = rollout;
  if (progress.failed - rollout.failed_before >= failed_upgrades) return 'failed_upgrades';
  if (refused_messages !== null && progress.refused - rollout.refused_before >= refused_messages)
    return 'refused_messages';
  if (llm_failures !== null && progress.llm_failed - rollout.llm_before >= llm_failures)
    return 'llm_failures';
  return undefined;
}
