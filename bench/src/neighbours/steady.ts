import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from '../call.ts';
import type { Tally } from '../load/paced.ts';

const PROGRAM = join(import.meta.dirname, 'steady-user.js');

export interface SteadyOrder {
  base_url: string;
  calls: readonly Call[];
  per_second: number;
  seconds: number;
}

export interface Seen {
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
  /** By status; `timeout` after 10 s, `broken` for a lost connection. */
  answers: Tally;
}

/** A user with a steady rate of requests, in a process of its own so that the floods do not slow it. */
export async function steady(order: SteadyOrder): Promise<Seen> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(order)]);
  return JSON.parse(stdout) as Seen;
}

export const failuresIn = ({ answers }: Seen): number =>
  Object.entries(answers)
    .filter(([kind]) => !/^[234]/.test(kind))
    .reduce((sum, [, times]) => sum + times, 0);
