import type { Observed } from '../../runtimes/engine.port.ts';
import { addressAt } from '../remote-engine/runtime-environment.ts';
import type { KeptPods } from './kept-pods.ts';
import type { Observation } from './observation.ts';

/** A start that has no pod yet, or that failed. */
export type Attempt = Pick<Observation, 'generation' | 'spec_hash' | 'phase' | 'reason'>;

interface Parts {
  pods: KeptPods;
  attempt: Attempt | undefined;
  /** From the call until each pod is asked to end. */
  isRemoving: boolean;
}

/** A start counts until its pod is there, and a removal from the moment of its call. */
export function seenOf({ pods: { newest, seen }, attempt, isRemoving }: Parts): Observation {
  if (attempt && (!newest || seen.phase === 'gone' || seen.generation < attempt.generation)) {
    const phase = isRemoving && attempt.phase === 'starting' ? 'ending' : attempt.phase;
    return { ...seen, restarts: 0, exit_code: null, ready: undefined, ip: null, ...attempt, phase };
  }
  const isEnding = isRemoving && newest && seen.phase !== 'gone';
  return isEnding
    ? { ...seen, phase: 'ending', reason: null, exit_code: null, ready: undefined, ip: null }
    : seen;
}

/** @param line the last one of the runtime */
export function stateOf(
  instance_id: string,
  { generation, spec_hash, phase, reason, restarts, exit_code, ip, ready }: Observation,
  line: string | null,
): Omit<Observed, 'at'> {
  const hasEnded = exit_code !== null || reason === 'crashed' || reason === 'out_of_memory';
  return {
    instance_id,
    generation,
    spec_hash,
    phase,
    reason,
    last_line: hasEnded ? line : null,
    address: phase === 'up' && ip !== null ? addressAt(ip, instance_id) : null,
    restarts,
    exit_code,
    ...(ready !== undefined && { ready }),
  };
}
