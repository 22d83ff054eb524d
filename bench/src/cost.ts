import { usageOf } from './usage.ts';
import type { World } from './world.ts';

/** CPU time in ms of a process tree (0 without one) and of PostgreSQL. */
export interface Cost {
  cpu_ms: number;
  postgres_cpu_ms: number;
}

export async function costOf<T>(
  { postgres }: World,
  pid: number | undefined,
  work: () => Promise<T>,
): Promise<{ result: T } & Cost> {
  const cpu = () => [pid === undefined ? 0 : usageOf(pid).cpu_ms, usageOf(postgres.pid).cpu_ms] as const;
  const before = cpu();
  const result = await work();
  const after = cpu();
  return { result, cpu_ms: after[0] - before[0], postgres_cpu_ms: after[1] - before[1] };
}
