import { describe, expect, test } from 'vitest';
import type { ContainerStatus, Pod } from './api.ts';
import { type Observation, observe, vanished } from './observation.ts';

const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

type Ready = 'True' | 'False';

function podOf(container: Partial<ContainerStatus>, more: Pod['status'] = {}, ready: Ready = 'False'): Pod {
  return {
    metadata: {
      name: 'r-one-4',
      labels: { 'agent-control-plane.generation': '4' },
      annotations: { 'agent-control-plane.spec-hash': 'hash' },
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: ready },
      ],
      containerStatuses: [
        { name: 'sidecar', ready: true, started: true, state: { running: {} } },
        { name: 'runtime', ready: false, restartCount: 2, ...container },
      ],
      ...more,
    },
  };
}

const waiting = (reason: string, more: Partial<ContainerStatus> = {}) =>
  podOf({ ...more, state: { waiting: { reason } } });
const withoutImage = (reason: string, message: string) => podOf({ state: { waiting: { reason, message } } });
const ended = (exitCode: number, reason = 'Error') => ({
  terminated: { exitCode, reason, message: 'last words', containerID: 'run-1' },
});
const running = { started: true, ready: true, state: { running: {} } };
const unscheduled = podOf({}, { conditions: [{ type: 'PodScheduled', status: 'False' }] });
unscheduled.status = { ...unscheduled.status, containerStatuses: [] };
const deleted = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ...DELETED } });

const STARTING = { phase: 'starting', reason: null } as const;
const UP = { phase: 'up', reason: null, ip: '10.0.0.7', exit_code: null } as const;
const CRASHED = { phase: 'starting', reason: 'crashed', exit_code: 3, words: 'last words' } as const;

const TABLE: [string, Pod, Partial<Observation>][] = [
  ['a pod that nobody has seen', { metadata: {} }, STARTING],
  ['no node has room', unscheduled, { phase: 'starting', reason: 'unschedulable' }],
  ['its container is being made', waiting('ContainerCreating'), STARTING],
  ['its probe has not succeeded', podOf({ started: false, state: { running: {} } }), STARTING],
  ...['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'].map(
    (reason): [string, Pod, Partial<Observation>] => [
      reason,
      waiting(reason),
      { phase: 'starting', reason: 'image_pull_failed' },
    ],
  ),
  ...(
    [
      ['ErrImagePull', 'rpc error: code = NotFound desc = docker.io/a/b:1: not found', 'missing'],
      ['ErrImagePull', 'pull access denied, repository does not exist', 'missing'],
      ['ErrImagePull', 'rpc error: code = Unknown desc = lookup r.test: no such host', 'fine'],
      ['ErrImagePull', 'x509: certificate signed by unknown authority', 'fine'],
      ['ImagePullBackOff', 'Back-off pulling image "a/b:1"', 'unknown'],
      ['ImagePullBackOff', 'Back-off pulling image "a": ErrImagePull: manifest unknown', 'missing'],
      ['ImagePullBackOff', 'Back-off pulling image "a": ErrImagePull: i/o timeout', 'fine'],
      ['InvalidImageName', '', 'missing'],
    ] as const
  ).map(([reason, message, image]): [string, Pod, Partial<Observation>] => [
    `${reason} (${message})`,
    withoutImage(reason, message),
    { phase: 'starting', reason: 'image_pull_failed', image },
  ]),
  ...['CreateContainerError', 'CreateContainerConfigError', 'RunContainerError'].map(
    (reason): [string, Pod, Partial<Observation>] => [
      reason,
      waiting(reason),
      { phase: 'starting', reason: 'spec_rejected' },
    ],
  ),
  [
    'a program that is not there',
    waiting('CrashLoopBackOff', { lastState: ended(128, 'StartError') }),
    { phase: 'starting', reason: 'spec_rejected' },
  ],
  ['it has ended', podOf({ state: ended(3) }), { ...CRASHED, restarts: 2 }],
  ['it waits for its next start', waiting('CrashLoopBackOff', { lastState: ended(3) }), CRASHED],
  ['it starts again', podOf({ started: false, state: { running: {} }, lastState: ended(3) }), CRASHED],
  ['it ended by a signal', podOf({ state: ended(143) }), { reason: 'crashed', exit_code: null }],
  [
    'it had no memory',
    podOf({ state: ended(137, 'OOMKilled') }),
    { phase: 'starting', reason: 'out_of_memory', exit_code: null },
  ],
  ['it asks for an identity', podOf({ state: ended(75) }), { phase: 'gone', exit_code: 75 }],
  [
    'it asked for an identity and was started again',
    podOf({ ...running, lastState: ended(75) }, {}, 'True'),
    { phase: 'gone', exit_code: 75, words: 'last words' },
  ],
  ['it is well', podOf(running, {}, 'True'), { ...UP, ready: true, restarts: 2 }],
  ['it is well after a crash', podOf({ ...running, lastState: ended(3) }, {}, 'True'), { ...UP, words: '' }],
  ['its health fails', podOf({ ...running, ready: false }), { ...UP, ready: false }],
  ['its node is silent', podOf(running, {}, 'False'), { ...UP, reason: 'node_lost' }],
  ['it failed', podOf(running, { phase: 'Failed' }, 'True'), { phase: 'gone', reason: 'evicted' }],
  ['it is deleted', deleted(podOf(running, {}, 'True')), { phase: 'gone', reason: 'evicted' }],
  [
    'it is deleted with its node',
    deleted(podOf(running, {}, 'False')),
    { phase: 'gone', reason: 'node_lost', ip: null },
  ],
];

describe('a pod is seen as', () => {
  test.each(TABLE)('%s', (_what, pod, expected) => {
    expect(observe(pod, false)).toMatchObject(expected);
  });

  test('ending where the engine has asked for its end', () => {
    const seen = observe(deleted(podOf(running)), true);
    expect(seen).toMatchObject({ phase: 'ending', reason: null, generation: 4, spec_hash: 'hash' });
  });

  test('gone when it has vanished', () => {
    const well = observe(podOf(running, {}, 'True'), false);
    const lost = observe(podOf(running, {}, 'False'), false);
    expect([vanished(well, false), vanished(lost, false), vanished(lost, true)]).toMatchObject([
      { phase: 'gone', reason: 'evicted', ip: null },
      { phase: 'gone', reason: 'node_lost' },
      { phase: 'gone', reason: null },
    ]);
  });
});
