import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { TaskKind } from './tasks.contract.ts';

/**
 * A change of an instance's status. All moves (contract, section 4): pending → provisioning → running ⇄ stopped;
 * provisioning → failed → provisioning; any → terminating → terminated.
 */
interface Move {
  from: readonly InstanceStatus[];
  to: InstanceStatus;
}

/** Every status but `terminating` and `terminated`. */
const ALIVE = ['pending', 'provisioning', 'running', 'stopped', 'failed'] as const;

/** The move of the instance when a runner begins a task of this kind. */
export function startMove(kind: TaskKind): Move | undefined {
  return kind === 'provision' ? { from: ['pending', 'failed'], to: 'provisioning' } : undefined;
}

/** The moves when the task ends, one after the other up to the first whose `from` does not fit. */
export function outcomeMoves(kind: TaskKind, outcome: 'succeeded' | 'failed' | 'canceled'): readonly Move[] {
  if (kind === 'provision') {
    if (outcome === 'succeeded') return [{ from: ['provisioning'], to: 'running' }];
    if (outcome === 'failed') return [{ from: ['pending', 'provisioning'], to: 'failed' }];
    return [
      { from: ['pending', 'provisioning', 'failed'], to: 'terminating' },
      { from: ['terminating'], to: 'terminated' },
    ];
  }
  if (outcome !== 'succeeded') return [];
  if (kind === 'start') return [{ from: ['stopped'], to: 'running' }];
  if (kind === 'stop') return [{ from: ['running'], to: 'stopped' }];
  if (kind === 'terminate') return [{ from: ['terminating'], to: 'terminated' }];
  return [];
}

export type LifecycleRequest = 'stop' | 'start' | 'retry' | 'terminate';

/** For each request: the statuses that allow it, the kind of its task, and the status that the instance gets at once. */
export const lifecycleRequests: Readonly<
  Record<
    LifecycleRequest,
    { from: readonly InstanceStatus[]; kind: TaskKind; to: InstanceStatus | null; message: string }
  >
> = {
  stop: { from: ['running'], kind: 'stop', to: null, message: 'Stop requested' },
  start: { from: ['stopped'], kind: 'start', to: null, message: 'Start requested' },
  retry: { from: ['failed'], kind: 'provision', to: 'provisioning', message: 'Retry requested' },
  terminate: { from: ALIVE, kind: 'terminate', to: 'terminating', message: 'Termination requested' },
};
