import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hourMs, minuteMs, startBench, timeoutMs } from './support/enrolling.ts';
import type { Mishap } from './support/fake-mtls.ts';
import { instanceId, proxyKey } from './support/ids.ts';

const healthy = { status: 200, body: { status: 'ok', instance_id: instanceId } };
const notYet = { status: 503, body: { status: 'enrolling', instance_id: instanceId } };

it('enrolls at the start, uses its certificate and becomes healthy', async () => {
  const { plane, start } = await startBench();
  const life = start();
  expect(await life.health()).toMatchObject(notYet);
  await life.keeper.tick();
  expect(await life.health()).toEqual(healthy);
  expect(plane.asked).toEqual(['enroll', 'secrets/refresh']);
  const shown = plane.seen.map(({ client_serial }) => client_serial);
  expect(shown).toEqual([undefined, plane.current?.serial]);
});

it('stores its state in one private file, and logs no secret', async () => {
  const { stateDir, run } = await startBench();
  const life = await run({ ENROLLMENT_TOKEN: 'token-of-another' });
  expect(life.logged()).not.toMatch(/token-of-another|BEGIN|proxy-key/);
  await run();
  expect(await readdir(stateDir)).toEqual(['identity.json']);
  expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(stateDir, 'identity.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(stateDir, 'identity.json'), 'utf8')).not.toContain(proxyKey);
});

it('keeps its certificate after a restart, also without a token', async () => {
  const { plane, run } = await startBench();
  await run();
  const life = await run({ ENROLLMENT_TOKEN: '' });
  expect(await life.health()).toEqual(healthy);
  expect(plane.asked).toEqual(['enroll', 'secrets/refresh', 'secrets/refresh']);
  expect(plane.seen.at(-1)?.client_serial).toBe(plane.certificates[0]?.serial);
});

it.each(['lose', 'drop', 'hang', 'garbage', 'stranger', { status: 500 }] satisfies Mishap[])(
  'retries in the same process after %j, and gets the certificate',
  async (mishap) => {
    const { plane, run, advance } = await startBench(timeoutMs(mishap));
    plane.mishaps.push(['enroll', mishap]);
    const life = await run();
    expect(await life.health()).toMatchObject(notYet);
    expect(life.keeper.pauseMs()).toBeGreaterThanOrEqual(500);
    advance(life.keeper.pauseMs());
    await life.keeper.tick();
    expect(await life.health()).toEqual(healthy);
    expect(life.restarts()).toBe(0);
    expect(plane.certificates).toHaveLength(1);
  },
);

it.each(['lose', 'drop', 'hang'] satisfies Mishap[])(
  'enrolls with the next token after a kill during an attempt that ended with %j',
  async (mishap) => {
    const { plane, run } = await startBench(timeoutMs(mishap));
    plane.mishaps.push(['enroll', mishap]);
    await run();
    const life = await run();
    expect(await life.health()).toEqual(healthy);
    expect(plane.seen.at(-1)?.client_serial).toBe(plane.current?.serial);
  },
);

it('uses a certificate that was stored right before a kill', async () => {
  const { plane, run } = await startBench();
  plane.mishaps.push(['secrets/refresh', 'lose']);
  await run();
  expect(plane.current?.used).toBe(false);
  await run();
  expect(plane.certificates).toHaveLength(1);
  expect(plane.current?.used).toBe(true);
});

it.each([
  ['cut short', async (path: string) => truncate(path, 700)],
  ['empty', async (path: string) => truncate(path, 0)],
  ['no JSON', async (path: string) => writeFile(path, '\0'.repeat(2000))],
  ['another shape', async (path: string) => writeFile(path, '{"current":[]}')],
  ['with another key', (path: string) => edit(path, (text) => text.replace(/MIGHAg[^-]+/, 'MIGHAg\\n'))],
  [
    'with another tunnel key',
    (path: string) => edit(path, (text) => text.replace(/(public_key": ")./, '$1=')),
  ],
  ['another instance’s', (path: string) => edit(path, (text) => text.replace(instanceId, 'x'))],
])('enrolls again when its state is %s', async (_name, damage) => {
  const { plane, stateDir, run } = await startBench();
  await run();
  await damage(join(stateDir, 'identity.json'));
  // A kill during a write leaves this.
  await writeFile(join(stateDir, 'identity.json.new'), '{"instance_id"');
  const life = await run();
  expect(await life.health()).toEqual(healthy);
  expect(plane.certificates.map(({ revoked }) => revoked)).toEqual([true, false]);
});

it('enrolls again when its tunnel address has changed', async () => {
  const { plane, run } = await startBench();
  await run();
  const life = await run({ VPN_IP: '10.64.0.3' });
  expect(plane.asked.slice(2)).toEqual(['enroll']);
  expect(life.restarts()).toBe(1);
});

it('enrolls at once when its stored certificate has expired or was revoked', async () => {
  const { plane, run, advance } = await startBench();
  await run();
  advance(25 * hourMs);
  expect(await (await run()).health()).toEqual(healthy);
  expect(plane.asked.slice(2)).toEqual(['enroll', 'secrets/refresh']);
  for (const certificate of plane.certificates) certificate.revoked = true;
  expect(await (await run()).health()).toEqual(healthy);
  expect(plane.asked.slice(4)).toEqual(['secrets/refresh', 'enroll', 'secrets/refresh']);
  // Enrolling does not use the refused certificate.
  expect(plane.seen.at(-2)?.client_serial).toBeUndefined();
});

it('asks once for another start when its token is refused or missing', async () => {
  const { plane, run, advance } = await startBench();
  for (const ENROLLMENT_TOKEN of ['of-last-week', '']) {
    const life = await run({ ENROLLMENT_TOKEN });
    advance(hourMs);
    await life.keeper.tick();
    expect(life.restarts()).toBe(1);
    expect(life.logged()).toContain('restart_needed');
  }
  expect(plane.asked).toEqual(['enroll']);
});

it('trusts the stored CA and the one from the environment', async () => {
  const { plane, run } = await startBench();
  const { plane: other } = await startBench();
  await run();
  await run({ CONTROL_PLANE_CA: other.authority.ca_pem });
  expect(plane.asked).toEqual(['enroll', 'secrets/refresh', 'secrets/refresh']);
});

it('backs off while the control plane is down, and logs it', async () => {
  const { plane, run, advance, start } = await startBench();
  const away = await run({ CONTROL_PLANE_MTLS_URL: 'https://127.0.0.1:1' });
  const pauses: number[] = [];
  for (let round = 0; round < 8; round++) {
    pauses.push(away.keeper.pauseMs());
    advance(away.keeper.pauseMs());
    await away.keeper.tick();
  }
  expect(pauses).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000]);
  expect(away.logged()).toContain('"error":"ECONNREFUSED"');
  expect(await away.health()).toMatchObject(notYet);
  const life = start();
  plane.mishaps.push(['enroll', { status: 429, headers: { 'retry-after': '1200' } }]);
  await life.keeper.tick();
  advance(19 * minuteMs);
  await life.keeper.tick();
  expect(plane.asked).toEqual(['enroll']);
});

it('sends nothing to a server with another CA, and asks for another start', async () => {
  const { plane, run, advance } = await startBench();
  const { plane: other } = await startBench();
  const life = await run({ CONTROL_PLANE_CA: other.authority.ca_pem });
  expect(life.restarts()).toBe(0);
  for (let round = 0; round < 5; round++) {
    advance(minuteMs);
    await life.keeper.tick();
  }
  expect(life.restarts()).toBe(1);
  expect(plane.seen).toEqual([]);
});

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(path, change(text));
}
