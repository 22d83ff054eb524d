import type { Observed } from '../../runtimes/engine.port.ts';
import { SPEC_HASH } from '../remote-engine/labels.ts';
import { IMAGE_NOT_FOUND } from '../remote-engine/missing-images.ts';
import type { ContainerStatus, Pod, Terminated } from './api.ts';
import { generationOf } from './names.ts';

export const CONTAINER = 'runtime';

/** A pod's runtime as its object alone shows it. */
export interface Observation
  extends Pick<Observed, 'generation' | 'spec_hash' | 'phase' | 'reason' | 'restarts' | 'exit_code'> {
  ready: boolean | undefined;
  /** `unknown` while Kubernetes waits for the next try to pull it. */
  image: 'fine' | 'missing' | 'unknown';
  /** While `up`. */
  ip: string | null;
  /** The container's last end, unless it is up again; may be empty. */
  end: string;
  /** Its last lines before that end; may be empty. */
  words: string;
}

type Seen = Pick<Observation, 'phase' | 'reason'> & Partial<Observation>;

const NO_IMAGE = new Set(['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName']);
/** No registry is asked for it. */
const NEVER_THERE = new Set(['ErrImageNeverPull', 'InvalidImageName']);
const REJECTED = /^(?:CreateContainer\w*Error|RunContainerError)$/;
/** By it a runtime asks for a new identity. */
const NEW_IDENTITY = 75;
/** Exit codes above it stand for signals. */
const BY_SIGNAL = 128;
const LAST_SIGNAL = 64;

/** @param isOurs the engine itself asked for its deletion */
export function observe(pod: Pod, isOurs: boolean): Observation {
  const { metadata } = pod;
  const container = containerOf(pod);
  return {
    generation: generationOf(pod),
    spec_hash: metadata.annotations?.[SPEC_HASH] ?? '',
    restarts: container?.restartCount ?? 0,
    exit_code: null,
    ready: undefined,
    image: 'fine',
    ip: null,
    end: '',
    words: '',
    ...see(pod, container, isOurs),
  };
}

function see(pod: Pod, container: ContainerStatus | undefined, isOurs: boolean): Seen {
  const { metadata, status = {} } = pod;
  const isLost = isLostWith(pod, container);
  if (metadata.deletionTimestamp !== undefined) {
    return isOurs ? { phase: 'ending', reason: null } : { phase: 'gone', reason: takenAway(isLost) };
  }
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    return { phase: 'gone', reason: takenAway(isLost) };
  }
  const end = container?.state?.terminated ?? container?.lastState?.terminated;
  if (end?.exitCode === NEW_IDENTITY) {
    return { phase: 'gone', reason: 'crashed', exit_code: NEW_IDENTITY, ...wordsOf(end) };
  }
  if (container?.state?.running && container.started && status.podIP) {
    const up = { phase: 'up', ip: status.podIP, ready: container.ready ?? false } as const;
    return { ...up, reason: isLost ? 'node_lost' : null };
  }
  return { phase: 'starting', ...startOf(pod, container, end) };
}

function startOf(
  { status = {} }: Pod,
  container: ContainerStatus | undefined,
  end: Terminated | undefined,
): Omit<Seen, 'phase'> {
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return { reason: 'unschedulable' };
  const { reason: waiting = '', message = '' } = container?.state?.waiting ?? {};
  if (NO_IMAGE.has(waiting)) return { reason: 'image_pull_failed', image: imageOf(waiting, message) };
  if (REJECTED.test(waiting) || end?.reason === 'StartError' || end?.reason === 'ContainerCannotRun') {
    return { reason: 'spec_rejected' };
  }
  // Also while it starts again: the last failure is shown until the runtime is up.
  if (!end) return { reason: null };
  const reason = end.reason === 'OOMKilled' ? 'out_of_memory' : 'crashed';
  return { reason, exit_code: exitCodeOf(end), ...wordsOf(end) };
}

/** Kubernetes tells of a failed pull once, and then that it waits; from 1.32 on it repeats the failure. */
function imageOf(waiting: string, message: string): Observation['image'] {
  if (NEVER_THERE.has(waiting) || IMAGE_NOT_FOUND.test(message)) return 'missing';
  return waiting === 'ImagePullBackOff' && !message.includes('ErrImagePull') ? 'unknown' : 'fine';
}

/** A pod that vanished, as it was seen before. */
export const vanished = (before: Observation, isOurs: boolean): Observation => ({
  ...before,
  phase: 'gone',
  reason: isOurs ? null : before.reason === 'node_lost' ? 'node_lost' : 'evicted',
  exit_code: null,
  ready: undefined,
  image: 'fine',
  ip: null,
  end: '',
  words: '',
});

const wordsOf = ({ containerID, finishedAt, message = '' }: Terminated) => ({
  end: containerID ?? finishedAt ?? '',
  words: message,
});

const containerOf = ({ status }: Pod) => status?.containerStatuses?.find(({ name }) => name === CONTAINER);

/** A controller of Kubernetes sets the condition of pods whose node is silent; their kubelet would change both. */
function isLostWith({ status }: Pod, container: ContainerStatus | undefined): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'False' && container?.ready === true;
}

const takenAway = (isLost: boolean) => (isLost ? 'node_lost' : 'evicted');

function exitCodeOf({ exitCode, signal }: Terminated): number | null {
  if (exitCode === undefined || exitCode < 0 || signal) return null;
  return exitCode > BY_SIGNAL && exitCode <= BY_SIGNAL + LAST_SIGNAL ? null : exitCode;
}
