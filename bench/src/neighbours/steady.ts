import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from '../call.ts';
import type { Tally } from '../load/paced.ts';

const PROGRAM = join(import.meta.dirname, 'steady-user.js');

export interface SteadyOrder {
  base_url: string;
  /** From the first again after the last. */
  calls: readonly Call[];
  per_second: number;
  /** After a second that does not count. */
  seconds: number;
}

export interface Seen {
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
  /** By status; `timeout` after 10 s, `broken` where the connection ended. */
  answers: Tally;
}

/** A user who asks at a steady rate, in a process of its own: what the floods take to make must not be in the times. */
export async function steady(order: SteadyOrder): Promise<Seen> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(order)]);
  return JSON.parse(stdout) as Seen;
}

/** Requests that were answered with a 5xx, too late or not at all. */
export const failuresIn = ({ answers }: Seen): number =>
  Object.entries(answers)
    .filter(([kind]) => !/^[234]/.test(kind))
    .reduce((sum, [, times]) => sum + times, 0);
