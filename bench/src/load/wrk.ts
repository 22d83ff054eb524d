import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toBytes } from '../call.ts';
import type { Load, LoadOrder } from './load.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../src/load/wrk.lua');

interface Result {
  requests: number;
  duration_us: number;
  p50_us: number;
  p99_us: number;
  wrong_status: number;
  broken: number;
  ran_out: number;
}

let files = 0;

/**
 * A generator on Node would need as much CPU as the measured server; wrk needs a third of a core. Rejects unless all
 * answers are 2xx.
 */
export async function wrk({
  base_url,
  calls,
  once,
  connections,
  seconds,
  directory,
}: LoadOrder): Promise<Load> {
  const path = join(directory, `requests-${++files % 8}`);
  const { host } = new URL(base_url);
  const parts = calls.flatMap((call) => {
    const bytes = toBytes(call, host);
    return [Buffer.from(`${bytes.length}\n`), bytes];
  });
  await writeFile(path, Buffer.concat(parts));
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT];
  const { stdout } = await run('wrk', [...options, base_url, '--', path, once ? 'once' : 'cycle']);
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (!line) throw new Error(`wrk gave no result:\n${stdout}`);
  const result = JSON.parse(line) as Result;
  const { requests, duration_us, wrong_status, broken, ran_out } = result;
  if (ran_out > 0)
    throw new Error(`${calls.length} requests were too few for ${seconds} s: ${requests} were answered`);
  if (wrong_status + broken > 0) {
    throw new Error(`${base_url} did not answer all requests with 2xx: ${line}`);
  }
  return {
    requests,
    requests_per_s: (requests / duration_us) * 1e6,
    p50_ms: result.p50_us / 1000,
    p99_ms: result.p99_us / 1000,
  };
}

export async function requireWrk(): Promise<void> {
  await run('wrk', ['--version']).catch((error: NodeJS.ErrnoException) => {
    // It ends with 1 after printing its version.
    if (error.code === 'ENOENT')
      throw new Error('The load generator wrk is not installed: apt-get install wrk');
  });
}
