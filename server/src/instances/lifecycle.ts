import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import type { TaskKind } from './tasks.contract.ts';

/**
 * Contract, section 4: pending → provisioning → running ⇄ stopped; provisioning → failed → provisioning;
 * any → terminating → terminated.
 */
interface Move {
  from: readonly InstanceStatus[];
  to: InstanceStatus;
}

const ALIVE = ['pending', 'provisioning', 'running', 'stopped', 'failed'] as const;

/** When a runner begins a task. */
export function startMove(kind: TaskKind): Move | undefined {
  return kind === 'provision' ? { from: ['pending', 'failed'], to: 'provisioning' } : undefined;
}

/** When a task ends: apply them in order up to the first whose `from` does not match. */
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

export type LifecycleRequest = 'stop' | 'start' | 'restart' | 'retry' | 'terminate';

/** A request is allowed in the statuses `from`, and sets the status `to` at once. */
export const lifecycleRequests: Readonly<
  Record<
    LifecycleRequest,
    { from: readonly InstanceStatus[]; kind: TaskKind; to: InstanceStatus | null; message: string }
  >
> = {
  stop: { from: ['running'], kind: 'stop', to: null, message: 'Stop requested' },
  start: { from: ['stopped'], kind: 'start', to: null, message: 'Start requested' },
  restart: { from: ['running'], kind: 'restart', to: null, message: 'Restart requested' },
  retry: { from: ['failed'], kind: 'provision', to: 'provisioning', message: 'Retry requested' },
  terminate: { from: ALIVE, kind: 'terminate', to: 'terminating', message: 'Termination requested' },
};
