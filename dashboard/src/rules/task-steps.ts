import type { InstanceTask } from '@agent-control-plane/sdk';
import { sentence } from './words.ts';

type TaskKind = InstanceTask['kind'];

const STEP_WORDS: Record<string, string> = {
  allocate: 'Proxy key and tunnel address',
  place: 'A place on the shared instance',
  wait_for_node: 'Waiting for the shared instance',
  start_runtime: 'Starting the runtime',
  stop_runtime: 'Stopping the runtime',
  renew_runtime: 'Starting the runtime anew',
  leave_cluster: 'Leaving the cluster',
  wire_grants: 'Granting connections',
  wire_channels: 'Handing over channel credentials',
  wire_rules: 'PIN policy from the recipe',
  wire_onboarding: 'Attaching the onboarding flow',
  revoke_grants: 'Taking back connections',
  apply_configuration: 'Putting the new configuration to use',
  wait_for_health: 'Waiting until it is healthy',
  release: 'Giving back identity and grants',
};

/** A step as people call it. */
export const stepWords = (step: string): string => STEP_WORDS[step] ?? sentence(step);

/** In their order; some are left out where they have nothing to do. */
const STEPS: Record<TaskKind, readonly string[]> = {
  deploy: ['allocate', 'start_runtime', 'wire_grants', 'wire_channels', 'wire_rules', 'wait_for_health'],
  join: ['place', 'wait_for_node', 'wire_grants', 'wire_channels'],
  leave: ['revoke_grants'],
  move: ['leave_cluster', 'start_runtime', 'wire_channels', 'wait_for_health'],
  restart: ['renew_runtime', 'wire_channels', 'wait_for_health'],
  start: ['start_runtime', 'wire_channels', 'wait_for_health'],
  stop: ['stop_runtime'],
  terminate: ['stop_runtime', 'release'],
  upgrade: [
    'wire_grants',
    'wire_rules',
    'apply_configuration',
    'renew_runtime',
    'wire_channels',
    'wait_for_health',
  ],
};

/** The steps that a task will still take after the one that it is at. */
export function stepsAfter(kind: TaskKind, step: string | null): readonly string[] {
  const steps = STEPS[kind];
  return steps.slice(steps.indexOf(step ?? '') + 1);
}

export interface Parts {
  total: number;
  done: number;
}

/** How far a task is, in parts of about a step each. */
export function partsOf({ kind, progress }: Pick<InstanceTask, 'kind' | 'progress'>): Parts {
  const total = Math.max(2, STEPS[kind].length);
  return { total, done: Math.min(total, Math.round((progress / 100) * total)) };
}

const NOUNS: Record<TaskKind, string> = {
  deploy: 'Deploy',
  join: 'Join of a customer',
  leave: 'Removal of a customer',
  move: 'Move to another cluster',
  restart: 'Restart',
  start: 'Start',
  stop: 'Stop',
  terminate: 'End',
  upgrade: 'Upgrade',
};

export const taskWords = (kind: TaskKind): string => NOUNS[kind];

/** Ends cannot be taken back once they began. */
export const isCancelable = ({ kind, status }: Pick<InstanceTask, 'kind' | 'status'>): boolean =>
  (status === 'queued' || status === 'running') && !['stop', 'terminate', 'leave', 'move'].includes(kind);
