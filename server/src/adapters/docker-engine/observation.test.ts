import { expect, it } from 'vitest';
import type { ContainerInspect } from './api.ts';
import { LABEL, Names } from './names.ts';
import { type Observation, observe } from './observation.ts';

const NEVER = '0001-01-01T00:00:00Z';
const LABELS = { [LABEL.generation]: '7', [LABEL.spec_hash]: 'abc', [LABEL.tenant]: 'tenant' };

const container = (state: Partial<ContainerInspect['State']>): ContainerInspect => ({
  Id: 'id',
  Name: '/name',
  State: { Status: 'running', StartedAt: '2026-01-01T00:00:00Z', ...state },
  Config: { Labels: LABELS },
  NetworkSettings: { Networks: { net: { IPAddress: '10.201.0.2' }, other: { IPAddress: '10.9.9.9' } } },
});

it.each<[string, Partial<ContainerInspect['State']>, Partial<Observation>]>([
  ['running', {}, { phase: 'starting', ip: '10.201.0.2', run: 'id 2026-01-01T00:00:00Z' }],
  ['paused', { Status: 'paused' }, { phase: 'starting' }],
  ['being removed', { Status: 'removing' }, { phase: 'ending' }],
  [
    'made and never started',
    { Status: 'created', StartedAt: NEVER },
    { phase: 'gone', isUnused: true, reason: null },
  ],
  ['made by Podman', { Status: 'configured' }, { phase: 'gone', isUnused: true }],
  ['ended with 0', { Status: 'exited', ExitCode: 0 }, { phase: 'gone', reason: 'crashed', exit_code: 0 }],
  ['asking for an identity', { Status: 'exited', ExitCode: 75 }, { reason: 'crashed', exit_code: 75 }],
  ['killed', { Status: 'exited', ExitCode: 137 }, { reason: 'crashed', exit_code: null }],
  ['ended with a high code', { Status: 'exited', ExitCode: 255 }, { reason: 'crashed', exit_code: 255 }],
  ['out of memory', { Status: 'exited', ExitCode: 137, OOMKilled: true }, { reason: 'out_of_memory' }],
  ['dead', { Status: 'dead', ExitCode: 1 }, { phase: 'gone', reason: 'crashed' }],
  ['of a status to come', { Status: 'sleeping' }, { phase: 'gone', reason: 'crashed', exit_code: null }],
])('a container that is %s', (_, state, expected) => {
  expect(observe(container(state), 'net')).toMatchObject({ generation: 7, spec_hash: 'abc', ...expected });
});

it('a container without labels and addresses has neither', () => {
  const bare = { ...container({}), Config: { Labels: null }, NetworkSettings: { Networks: null } };
  expect(observe(bare, 'net')).toMatchObject({ generation: 0, spec_hash: '', ip: null });
  const joining = { ...container({}), NetworkSettings: { Networks: { net: { IPAddress: '' } } } };
  expect(observe(joining, 'net').ip).toBeNull();
});

it('names of other installations and of others are not ours', () => {
  const names = new Names({ installation: '0a1b2c3d-0000-4000-8000-000000000000', cluster: 'default' });
  expect(names.instanceOf('/acp-0a1b2c3d-an-instance')).toBe('an-instance');
  for (const other of [
    'acp-ffffffff-an-instance',
    '/other',
    '/acp-0a1b2c3d-',
    undefined,
    '/acp-0a1b2c3d-a/b',
  ]) {
    expect(names.instanceOf(other)).toBeUndefined();
  }
});
