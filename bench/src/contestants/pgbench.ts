import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Load } from '../load/load.ts';
import type { World } from '../world.ts';
import type { Contestant, Window } from './contestant.ts';

const run = promisify(execFile);
/** Enough transactions for a percentile, too few to cost anything. */
const SAMPLE = 0.05;
/** pgbench's clock includes connecting, but its figure does not. */
const CONNECTS_PER_SECOND = 32;

/** The database's limit: the service's statements, prepared. */
export const pgbench: Contestant = {
  name: 'pgbench',
  missing: () =>
    (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, 'pgbench')))
      ? undefined
      : 'pgbench is not installed: apt-get install postgresql-contrib',
  start: async (world) => ({
    kind: 'floor',
    measure: (script, window) => measure(world, script, window),
    stop: async () => {},
  }),
};

async function measure(world: World, script: string, { connections, seconds }: Window): Promise<Load> {
  const directory = await mkdtemp(join(world.directory, 'pgbench-'));
  try {
    await writeFile(join(directory, 'script'), script);
    const options = ['-n', '-M', 'prepared', '-f', 'script', '-c', String(connections), '-j', '1'];
    const logging = ['-l', `--sampling-rate=${SAMPLE}`, '--log-prefix=times'];
    const duration = seconds + Math.ceil(connections / CONNECTS_PER_SECOND);
    const url = new URL(world.peer_url);
    const environment = { PATH: process.env.PATH, PGPASSWORD: url.password };
    url.password = '';
    const { stdout } = await run('pgbench', [...options, ...logging, '-T', String(duration), url.href], {
      cwd: directory,
      env: environment,
    });
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    const count = /transactions actually processed: (\d+)/.exec(stdout)?.[1];
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1];
    if (!tps || !count || (failed ?? '0') !== '0') throw new Error(`pgbench failed:\n${stdout}`);
    return { requests: Number(count), requests_per_s: Number(tps), ...(await readTimes(directory)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Column 3 of the log is the duration of a transaction in µs. */
async function readTimes(directory: string): Promise<Pick<Load, 'p50_ms' | 'p99_ms'>> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('times'));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  const times = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .map((line) => Number(line.split(' ')[2]))
    .toSorted((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN) / 1000;
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}
