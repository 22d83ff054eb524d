import type { RuntimeState } from '@agent-control-plane/sdk';
import { plural } from './words.ts';

type Reason = NonNullable<RuntimeState['reason']>;

const REASONS: Record<Reason, string> = {
  unschedulable: 'No host has room for it',
  image_pull_failed: 'Its image cannot be fetched',
  spec_rejected: 'The host refuses its specification',
  name_taken: 'Its name is taken on the host',
  start_timeout: 'It did not start in time',
  crashed: 'It crashed',
  out_of_memory: 'It ran out of memory',
  identity_refused: 'Its identity was refused',
  evicted: 'The host made room for others',
  node_lost: 'Its host is gone',
  cluster_unreachable: 'The cluster does not answer',
  unhealthy: 'It does not answer its health check',
};

const STATES: Partial<Record<RuntimeState['state'], string>> = {
  starting: 'It starts',
  unready: 'It does not answer its health check',
  lost: 'Its host is gone',
};

/** Why a runtime is not as it should be; undefined where it is. */
export const runtimeTrouble = ({ state, reason }: RuntimeState): string | undefined => {
  if (state === 'up') return undefined;
  return reason === null ? STATES[state] : REASONS[reason];
};

const NAMES: Record<RuntimeState['state'], string> = {
  absent: 'none',
  starting: 'starting',
  up: 'up',
  unready: 'does not answer',
  ending: 'ending',
  asleep: 'asleep until the next message',
  lost: 'lost with its host',
};

export const runtimeWords = ({ state, restarts }: RuntimeState): string =>
  restarts === 0 ? NAMES[state] : `${NAMES[state]}, ${plural(restarts, 'restart')}`;
