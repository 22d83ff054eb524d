import { expect, it } from 'vitest';
import { minuteMs, startBench } from './support/enrolling.ts';
import { agentSecrets } from './support/runtime.ts';

const NO_LEASE = { status: 503, body: { detail: 'The control plane has not been reached for long' } };

it('answers nobody after ten minutes without the control plane, until it responds', async () => {
  const bench = await startBench();
  bench.plane.secrets = agentSecrets;
  const life = await bench.run();
  bench.advance(10 * minuteMs);
  expect(await life.message()).toMatchObject({ status: 200 });
  bench.advance(10 * minuteMs + 1);
  bench.plane.mishaps.push(['customer-config', 'lose']);
  expect(await life.message()).toMatchObject(NO_LEASE);
  expect(await life.message()).toMatchObject({ status: 200 });
});

it('stops and answers nobody when the control plane has a newer runtime', async () => {
  const bench = await startBench();
  bench.plane.secrets = agentSecrets;
  const life = await bench.run({ RUNTIME_GENERATION: '3' });
  expect(bench.plane.seen.map(({ body }) => body)).toEqual([
    expect.objectContaining({ generation: 3 }),
    expect.objectContaining({ generation: 3 }),
  ]);
  bench.plane.mishaps.push(['secrets/refresh', { status: 409, body: { detail: 'runtime_replaced' } }]);
  bench.advance(5 * minuteMs);
  await life.keeper.tick();
  expect(life.replacements()).toBe(1);
  expect(await life.message()).toMatchObject(NO_LEASE);
});

it('reports in its health why it has no identity yet', async () => {
  const bench = await startBench();
  bench.plane.mishaps.push(['enroll', { status: 500, body: {} }]);
  const life = await bench.run();
  expect(await life.health()).toMatchObject({
    status: 503,
    body: { status: 'enrolling', reason: 'The control plane answered 500' },
  });
  bench.advance(minuteMs);
  await life.keeper.tick();
  expect((await life.health()).body).not.toHaveProperty('reason');
});
