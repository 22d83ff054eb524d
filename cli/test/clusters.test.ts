import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS_TOKEN } from '../../server/test/support/service.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;

beforeAll(async () => {
  bench = await startCliBench({ runsJobs: false, settings: { runs_clusters: true } });
});
afterAll(() => bench.stop());

it('clusters are made, listed and forgotten by the operator alone', async () => {
  const file = 'region_id: eu\nengine: docker\nendpoint: unix:///run/docker.sock\nmax_instances: 5\n';
  expect((await bench.work.given(file, 'clusters', 'set', 'eu-1', '-f', '-')).code).toBe(3);
  const operator = bench.work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
  expect(await operator.given(file, 'clusters', 'set', 'eu-1', '-f', '-')).toMatchObject({
    code: 0,
    stdout: 'eu-1 runs instances of eu with docker\n',
  });
  const { stdout } = await operator.run('clusters', 'list');
  expect(stdout).toMatch(/^eu-1 +eu +docker +0 of 5 +open/m);
  expect(stdout).toMatch(/^default +every other +process +0 +open/m);
  expect(await operator.run('clusters', 'drain', 'eu-1', '--to', 'default')).toMatchObject({
    code: 0,
    stdout: '0 instances of eu-1 move: see the tasks\n',
  });
  expect((await operator.run('clusters', 'list')).stdout).toMatch(/^eu-1 +eu +docker +0 of 5 +closed/m);
  expect((await operator.run('clusters', 'drain', 'default')).code).toBe(0);
  expect((await operator.run('clusters', 'drain', 'eu-2')).code).toBe(4);
  expect(await operator.run('clusters', 'delete', 'eu-1')).toMatchObject({ code: 0, stdout: '' });
  expect((await operator.run('clusters', 'delete', 'eu-1')).code).toBe(4);
  expect((await operator.run('clusters', 'delete', 'default')).code).not.toBe(0);
});
