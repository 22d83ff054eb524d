import { expect, it } from 'vitest';
import { type Bench, minuteMs, startBench, timeoutMs } from './support/enrolling.ts';
import { conversationId } from './support/ids.ts';
import { agentSecrets } from './support/runtime.ts';

const answered = `conversations/${conversationId}/messages`;
const keyOf = ({ plane }: Bench) => plane.seen.at(-1)?.authorization;

/** A rotated key; the previous one is refused. */
function rotate({ plane }: Bench, key: string): void {
  plane.proxyKey = key;
  plane.secrets = { proxy_key: key, connections: {} };
}

it('reads its secrets at the start and every five minutes', async () => {
  const bench = await startBench();
  bench.plane.secrets = { proxy_key: 'second', connections: {} };
  const life = await bench.run();
  bench.plane.proxyKey = 'second';
  bench.advance(5 * minuteMs - 1);
  await life.keeper.tick();
  expect(bench.plane.asked).toHaveLength(2);
  bench.advance(1);
  await life.keeper.tick();
  expect(bench.plane.asked).toHaveLength(3);
  expect(keyOf(bench)).toBe('Bearer second');
});

it.each([
  ['not running yet', { status: 409 }],
  ['an error', { status: 500 }],
  ['garbage', 'garbage'],
  ['a missing response', 'hang'],
  ['secrets of another shape', { status: 200, body: { agent_secrets: { connections: [] } } }],
] as const)('retries soon after %s, and keeps its secrets', async (_name, mishap) => {
  const bench = await startBench(timeoutMs(mishap));
  const { plane, advance } = bench;
  plane.mishaps.push(['secrets/refresh', mishap]);
  plane.secrets = { proxy_key: 'second', connections: {} };
  const life = await bench.run();
  expect(await life.health()).toMatchObject({ status: 200 });
  advance(minuteMs);
  await life.keeper.tick();
  expect(plane.asked).toEqual(['enroll', 'secrets/refresh', 'secrets/refresh']);
  expect(keyOf(bench)).toBe(`Bearer ${plane.proxyKey}`);
});

it('refreshes when its proxy key is refused, and repeats the call with the new one', async () => {
  const bench = await startBench();
  bench.plane.secrets = agentSecrets;
  const life = await bench.run();
  bench.advance(minuteMs);
  // The call's key was rotated; the refresh still accepts it.
  bench.plane.secrets = { ...agentSecrets, proxy_key: 'second' };
  bench.plane.refuseCalls = 1;
  bench.plane.beforeAnswer = () => {
    if (bench.plane.asked.at(-1) === 'secrets/refresh') bench.plane.proxyKey = 'second';
  };
  await life.message();
  expect(bench.plane.asked.slice(2)).toEqual([
    'customer-config',
    'secrets/refresh',
    'customer-config',
    'worker/me/shifts',
    answered,
  ]);
  expect(keyOf(bench)).toBe('Bearer second');
});

it('refreshes rarely, even if many calls are refused', async () => {
  const bench = await startBench();
  bench.plane.secrets = agentSecrets;
  const life = await bench.run();
  bench.advance(minuteMs);
  bench.plane.refuseCalls = 100;
  for (let round = 0; round < 5; round++) await life.message();
  // The configuration, the worker and the answer of each message.
  expect(bench.plane.refuseCalls).toBe(85);
  expect(bench.plane.asked.filter((path) => path === 'secrets/refresh')).toHaveLength(2);
});

it('asks for another start when both its key and its certificate are refused', async () => {
  const bench = await startBench();
  bench.plane.secrets = agentSecrets;
  const life = await bench.run();
  rotate(bench, 'second');
  bench.advance(minuteMs);
  await life.message();
  expect(life.restarts()).toBe(1);
  const next = await bench.run({ PROXY_KEY: 'second' });
  expect(await next.health()).toMatchObject({ status: 200 });
});

it('keeps secrets pushed during a refresh', async () => {
  const bench = await startBench();
  const life = bench.start();
  bench.plane.secrets = { ...agentSecrets, proxy_key: 'first' };
  const pushed = { ...agentSecrets, proxy_key: 'second' };
  bench.plane.beforeAnswer = () => bench.plane.asked.at(-1) === 'secrets/refresh' && life.push(pushed);
  await life.keeper.tick();
  await life.message();
  expect(bench.plane.asked).toEqual([
    'enroll',
    'secrets/refresh',
    'customer-config',
    'worker/me/shifts',
    answered,
  ]);
  expect(keyOf(bench)).toBe('Bearer second');
});

it('skips a retry after a push', async () => {
  const bench = await startBench();
  bench.plane.mishaps.push(['secrets/refresh', { status: 409 }]);
  const life = await bench.run();
  await life.push(agentSecrets);
  bench.advance(minuteMs);
  await life.keeper.tick();
  expect(bench.plane.asked).toEqual(['enroll', 'secrets/refresh']);
  bench.advance(5 * minuteMs);
  await life.keeper.tick();
  expect(bench.plane.asked).toHaveLength(3);
});

it('skips a retry after a push during the refusal', async () => {
  const bench = await startBench();
  const life = bench.start();
  bench.plane.status = 'provisioning';
  bench.plane.beforeAnswer = () => bench.plane.asked.at(-1) === 'secrets/refresh' && life.push(agentSecrets);
  await life.keeper.tick();
  bench.plane.status = 'running';
  bench.advance(minuteMs);
  await life.keeper.tick();
  expect(bench.plane.asked).toEqual(['enroll', 'secrets/refresh']);
});
