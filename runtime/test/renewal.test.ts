import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { at } from '../src/json.ts';
import { type Bench, hourMs, type Life, minuteMs, startBench, timeoutMs } from './support/enrolling.ts';
import type { Mishap } from './support/fake-mtls.ts';

/** Two thirds of a day, plus half of a tenth of the rest: `random` is 0.5. */
const renewalMs = 16 * hourMs + 24 * minuteMs;

const renewals = ({ plane }: Bench) => plane.asked.filter((path) => path === 'cert/renew').length;

/** Enrolled, and due for renewal. */
async function startDue(mishap?: Mishap): Promise<Bench & { life: Life }> {
  const bench = await startBench(timeoutMs(mishap));
  const life = await bench.run();
  bench.advance(renewalMs);
  return { ...bench, life };
}

it('renews shortly after two thirds of its certificate’s life, not before', async () => {
  const bench = await startBench();
  const life = await bench.run();
  bench.advance(renewalMs - 1);
  await life.keeper.tick();
  expect(renewals(bench)).toBe(0);
  bench.advance(1);
  await life.keeper.tick();
  const { plane } = bench;
  expect(plane.certificates.map(({ replaces }) => replaces)).toEqual([
    undefined,
    plane.certificates[0]?.serial,
  ]);
  expect(plane.certificates[1]?.key).not.toBe(plane.certificates[0]?.key);
  bench.advance(5 * minuteMs);
  await life.keeper.tick();
  expect(plane.seen.at(-1)?.client_serial).toBe(plane.current?.serial);
  expect(renewals(bench)).toBe(1);
  bench.advance(renewalMs);
  await life.keeper.tick();
  expect(renewals(bench)).toBe(2);
});

it('checks the clock at least every minute', async () => {
  const { keeper } = await (await startBench()).run();
  expect(keeper.pauseMs()).toBe(minuteMs);
});

it.each(['lose', 'drop', 'hang', 'garbage', 'stranger', { status: 500 }] satisfies Mishap[])(
  'retries after %j with the same key, and uses the certificate of the first try',
  async (mishap) => {
    const bench = await startDue(mishap);
    const { plane, life, advance } = bench;
    plane.mishaps.push(['cert/renew', mishap], ['cert/renew', mishap]);
    await life.keeper.tick();
    advance(minuteMs);
    await life.keeper.tick();
    expect(await life.health()).toMatchObject({ status: 200 });
    advance(minuteMs);
    await life.keeper.tick();
    expect(renewals(bench)).toBe(3);
    expect(plane.certificates).toHaveLength(2);
    advance(5 * minuteMs);
    await life.keeper.tick();
    expect(plane.seen.at(-1)?.client_serial).toBe(plane.certificates[1]?.serial);
    expect(life.restarts()).toBe(0);
  },
);

it.each(['lose', 'drop', 'hang'] satisfies Mishap[])(
  'after a kill in a renewal that ended in %j, the next process first repeats the request',
  async (mishap) => {
    const { plane, life, run, advance } = await startDue(mishap);
    plane.mishaps.push(['cert/renew', mishap], ['secrets/refresh', 'lose']);
    await life.keeper.tick();
    const asked = plane.asked.length;
    advance(10 * minuteMs);
    const next = await run({ ENROLLMENT_TOKEN: '' });
    expect(plane.asked.slice(asked)).toEqual(['cert/renew', 'secrets/refresh']);
    expect(plane.certificates).toHaveLength(2);
    expect(plane.current?.used).toBe(true);
    expect(next.restarts()).toBe(0);
  },
);

it('repeats a pending request at once when its certificate is refused', async () => {
  const bench = await startDue();
  const { plane, life } = bench;
  plane.mishaps.push(['cert/renew', 'drop']);
  await life.keeper.tick();
  expect(plane.asked.slice(2)).toEqual(['cert/renew', 'secrets/refresh', 'cert/renew']);
  expect(plane.certificates).toHaveLength(2);
  expect(life.restarts()).toBe(0);
});

it('uses a new certificate that was stored right before a kill', async () => {
  const { plane, life, run } = await startDue();
  plane.mishaps.push(['secrets/refresh', 'lose']);
  await life.keeper.tick();
  expect(plane.current?.used).toBe(false);
  await run({ ENROLLMENT_TOKEN: '' });
  expect(plane.certificates).toHaveLength(2);
  expect(plane.current?.used).toBe(true);
});

it('sends no request when the key cannot be stored', async () => {
  const bench = await startDue();
  const { stateDir, life, advance } = bench;
  const kept = await readFile(join(stateDir, 'identity.json'));
  await rm(stateDir, { recursive: true });
  await writeFile(stateDir, 'a file where the directory was');
  await life.keeper.tick();
  expect(renewals(bench)).toBe(0);
  expect(life.logged()).toMatch(/renew_failed.*EEXIST|renew_failed.*ENOTDIR/);
  await rm(stateDir);
  await mkdir(stateDir);
  await writeFile(join(stateDir, 'identity.json'), kept);
  advance(minuteMs);
  await life.keeper.tick();
  expect(renewals(bench)).toBe(1);
});

it('uses a certificate only once it is stored', async () => {
  const bench = await startDue();
  const { plane, stateDir, life, advance } = bench;
  plane.beforeAnswer = () => rm(stateDir, { recursive: true }).then(() => writeFile(stateDir, ''));
  await life.keeper.tick();
  plane.beforeAnswer = () => {};
  expect(plane.certificates).toHaveLength(2);
  expect(plane.seen.at(-1)?.client_serial).toBe(plane.certificates[0]?.serial);
  await rm(stateDir);
  advance(minuteMs);
  await life.keeper.tick();
  expect(plane.certificates).toHaveLength(2);
  expect(plane.current?.used).toBe(true);
});

it('honours Retry-After, and refreshes its secrets in the meantime', async () => {
  const bench = await startDue();
  const { plane, life, advance } = bench;
  plane.mishaps.push(['cert/renew', { status: 429, headers: { 'retry-after': '2400' } }]);
  await life.keeper.tick();
  advance(39 * minuteMs);
  await life.keeper.tick();
  expect(renewals(bench)).toBe(1);
  expect(plane.asked.at(-1)).toBe('secrets/refresh');
  advance(4 * minuteMs);
  await life.keeper.tick();
  expect(renewals(bench)).toBe(2);
});

it('retries soon while the instance is not running', async () => {
  const bench = await startDue();
  const { plane, life, advance } = bench;
  plane.status = 'stopped';
  await life.keeper.tick();
  plane.status = 'running';
  advance(minuteMs);
  await life.keeper.tick();
  expect(plane.certificates).toHaveLength(2);
});

it('uses a new key after a malformed request', async () => {
  const { plane, life, advance } = await startDue();
  plane.mishaps.push(['cert/renew', { status: 400 }]);
  await life.keeper.tick();
  advance(minuteMs);
  await life.keeper.tick();
  const asked = plane.seen.filter(({ path }) => path.endsWith('renew'));
  const requests = await Promise.all(asked.map(({ body }) => plane.authority.read(at(body, 'csr_pem'))));
  expect(new Set(requests.map((request) => request?.key)).size).toBe(2);
  expect(plane.certificates).toHaveLength(2);
});

it('keeps serving while the control plane is down, and asks for another start once expired', async () => {
  const bench = await startDue();
  const { plane, life, advance } = bench;
  plane.mishaps.push(['cert/renew', 'lose'], ['secrets/refresh', 'lose']);
  await life.keeper.tick();
  advance(8 * hourMs);
  plane.mishaps.push(['cert/renew', 'lose'], ['secrets/refresh', 'lose']);
  await life.keeper.tick();
  expect(await life.health()).toMatchObject({ status: 503, body: { status: 'expired' } });
  expect(life.logged().match(/certificate_expired/g)).toHaveLength(1);
  expect(life.restarts()).toBe(0);
  advance(minuteMs);
  await life.keeper.tick();
  expect(life.restarts()).toBe(1);
  expect(await (await bench.run()).health()).toMatchObject({ status: 200 });
});

it('asks for another start when a lost response was requested too late', async () => {
  const { plane, life, advance, run } = await startDue();
  plane.mishaps.push(['cert/renew', 'drop'], ['secrets/refresh', 'lose']);
  await life.keeper.tick();
  advance(20 * minuteMs);
  await life.keeper.tick();
  expect(life.restarts()).toBe(1);
  expect(await (await run()).health()).toMatchObject({ status: 200 });
});

it('trusts only the CA that came with the certificate', async () => {
  const { plane, life, advance } = await startDue();
  const { plane: other } = await startBench();
  // The response has only the other CA's certificates.
  plane.trusted = other.authority.ca_pem;
  await life.keeper.tick();
  const asked = plane.asked.length;
  advance(6 * minuteMs);
  await life.keeper.tick();
  expect(plane.asked).toHaveLength(asked);
  expect(life.logged()).toMatch(/refresh_failed.*(SELF_SIGNED|UNABLE_TO)/);
});

it.each([-30 * 24 * hourMs, 30 * 24 * hourMs])(
  'does not flood the control plane when the clock is set by %i ms',
  async (step) => {
    const bench = await startBench();
    const life = await bench.run();
    bench.skew(step);
    for (let round = 0; round < 10; round++) {
      await life.keeper.tick();
      expect(life.keeper.pauseMs()).toBeGreaterThan(0);
      bench.advance(minuteMs);
    }
    expect(renewals(bench)).toBe(step > 0 ? 1 : 0);
    expect(bench.plane.asked.length).toBeLessThan(8);
    expect(life.restarts()).toBe(0);
    expect(bench.plane.seen.at(-1)?.client_serial).toBe(bench.plane.current?.serial);
  },
);
