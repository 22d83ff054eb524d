import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { TaskKind } from './tasks.contract.ts';

/**
 * A move of an instance. Those that there are (contract, section 4):
 * pending → provisioning → running ⇄ stopped; provisioning → failed → provisioning; any → terminating → terminated.
 */
export interface Move {
  from: readonly InstanceStatus[];
  to: InstanceStatus;
}

/** All but the two states on the way out. */
const ALIVE = ['pending', 'provisioning', 'running', 'stopped', 'failed'] as const;

/** How the instance moves when a task of this kind begins to be worked on. */
export function startMove(kind: TaskKind): Move | undefined {
  return kind === 'provision' ? { from: ['pending', 'failed'], to: 'provisioning' } : undefined;
}

/** How it moves when the task ends. A move whose `from` does not fit is not made. */
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

/** The states in which an instance can be asked to, what task that makes, and how the instance moves at once. */
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
