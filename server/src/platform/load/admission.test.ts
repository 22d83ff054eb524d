import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gate } from '../../../test/support/hold.ts';
import { operations } from '../../areas.ts';
import { Admission } from './admission.ts';

const OF_ONE = 2;
const OF_ALL = 4;
const MAX_WAITING = 256;

const isSettled = async (promise: Promise<unknown>) => {
  const pending = Symbol('pending');
  // Runs everything that is ready.
  await new Promise(setImmediate);
  return (await Promise.race([promise.catch(() => {}), Promise.resolve(pending)])) !== pending;
};

function hold(admission: Admission, key: string, permits: number) {
  const gates = Array.from({ length: permits }, gate);
  const held = gates.map(({ pass }) => admission.run('configuration', key, pass, undefined));
  return async () => {
    for (const { goOn } of gates) goOn();
    await Promise.all(held);
  };
}

const findLimit = () => Promise.resolve(1);

const answer = () => Promise.resolve('answer');

describe('an operation with a load', () => {
  it('waits for a permit of its tenant', async () => {
    const admission = new Admission(findLimit);
    const release = hold(admission, 'a', OF_ONE);
    const waiting = admission.run('configuration', 'a', answer, undefined);
    expect(await isSettled(waiting)).toBe(false);
    expect(await admission.run('configuration', 'b', answer, undefined)).toBe('answer');
    await release();
    expect(await waiting).toBe('answer');
  });

  it('waits for a permit of the total', async () => {
    const admission = new Admission(findLimit);
    const releases = Array.from({ length: OF_ALL / OF_ONE }, (_, n) => hold(admission, `${n}`, OF_ONE));
    const waiting = admission.run('configuration', 'a', answer, undefined);
    expect(await isSettled(waiting)).toBe(false);
    expect(await admission.run('drive_file', 'a', answer, undefined)).toBe('answer');
    for (const release of releases) await release();
    expect(await waiting).toBe('answer');
  });

  it('is refused with 429 when too many calls of its tenant wait', async () => {
    const admission = new Admission(findLimit);
    const release = hold(admission, 'a', OF_ONE);
    const waiting = Array.from({ length: MAX_WAITING }, () =>
      admission.run('configuration', 'a', answer, undefined),
    );
    await expect(admission.run('configuration', 'a', answer, undefined)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1' },
    });
    await release();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'answer'));
  });

  it('leaves the queue when its client disconnects', async () => {
    const admission = new Admission(findLimit);
    const release = hold(admission, 'a', OF_ONE);
    const clients = Array.from({ length: MAX_WAITING }, () => new AbortController());
    const left = clients.map(({ signal }) =>
      admission.run('configuration', 'a', () => expect.unreachable(), signal),
    );
    for (const client of clients) client.abort(new Error('gone'));
    for (const one of left) await expect(one).rejects.toThrow('gone');
    const waiting = admission.run('configuration', 'a', answer, undefined);
    await release();
    expect(await waiting).toBe('answer');
  });

  it('frees its permit when it fails', async () => {
    const admission = new Admission(findLimit);
    for (let time = 0; time < OF_ALL + 1; time++) {
      const failing = admission.run('configuration', 'a', () => Promise.reject(new Error('no')), undefined);
      await expect(failing).rejects.toThrow('no');
    }
    expect(await admission.run('configuration', 'a', answer, undefined)).toBe('answer');
  });
});

it('is refused with 429 after waiting 5 seconds for a permit of its tenant', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const admission = new Admission(findLimit);
  const { pass, reached, goOn } = gate();
  const first = admission.run('drive_file', 'a', pass, undefined);
  await reached;
  const waiting = admission.run('drive_file', 'a', answer, undefined);
  expect(await admission.run('drive_file', 'b', answer, undefined)).toBe('answer');
  await vi.advanceTimersByTimeAsync(4999);
  expect(await isSettled(waiting)).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(waiting).rejects.toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } });
  goOn();
  await first;
  expect(await admission.run('drive_file', 'a', answer, undefined)).toBe('answer');
});

it('starts waiting calls when the limit of their tenant grows', async () => {
  let limit = 1;
  const admission = new Admission(() => Promise.resolve(limit));
  const { pass, reached, goOn } = gate();
  const first = admission.run('drive_file', 'a', pass, undefined);
  await reached;
  const waiting = admission.run('drive_file', 'a', answer, undefined);
  expect(await isSettled(waiting)).toBe(false);
  limit = 2;
  expect(await admission.run('drive_file', 'a', answer, undefined)).toBe('answer');
  expect(await waiting).toBe('answer');
  goOn();
  await first;
});

it('an operation without a load never waits', async () => {
  const admission = new Admission(findLimit);
  const release = hold(admission, 'a', OF_ONE);
  expect(await admission.run(undefined, 'a', answer, undefined)).toBe('answer');
  await release();
});

it('is declared by operations that hold recipes, plans or configurations in memory', () => {
  const declared = operations.filter(({ load }) => load === 'configuration').map(({ id }) => id);
  expect(declared.toSorted()).toEqual([
    'check_deploy',
    'compose_recipe',
    'deploy_recipe',
    'get_instance',
    'get_instance_drift',
    'get_merged_config',
    'list_instance_triggers',
    'restore_recipe_revision',
    'save_recipe_from_instance',
    'start_rollout',
    'update_recipe',
    'upgrade_instance',
  ]);
});

it('calls of models hold 32 MiB of bodies of a tenant at once, with instances of any number', async () => {
  const admission = new Admission(findLimit);
  const call = (tenant_id: string, work: () => Promise<unknown>) =>
    admission.run('model_call', tenant_id, work, undefined, {
      instance_id: randomUUID(),
      bytes: 8 * 1024 * 1024,
    });
  const gates = Array.from({ length: 4 }, gate);
  const held = gates.map(({ pass }) => call('a', pass));
  await Promise.all(gates.map(({ reached }) => reached));
  await expect(call('a', answer)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await call('b', answer)).toBe('answer');
  for (const { goOn } of gates) goOn();
  await Promise.all(held);
  expect(await call('a', answer)).toBe('answer');
});
