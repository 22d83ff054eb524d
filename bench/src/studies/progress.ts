import { setTimeout as sleep } from 'node:timers/promises';
import { figure, row } from '../report.ts';
import type { RunningService } from '../service.ts';
import { median } from '../statistics.ts';
import { usageOf } from '../usage.ts';
import type { World } from '../world.ts';

const LOOK_EVERY_MS = 500;
/** Without progress for so long, the work has failed. */
const STALLED_MS = 60_000;

/** How far a service is, and what it took until then. */
export interface Look {
  at_ms: number;
  done: number;
  cpu_ms: number;
  postgres_cpu_ms: number;
  rss_mib: number;
  /** With what the next garbage collection will find; what lives is the least of many looks. */
  heap_mib: number;
}

/** Looks at a service again and again until `query`, which answers `done`, says that `count` are done. */
export async function follow(
  { admin, postgres }: World,
  { base_url, pid }: RunningService,
  count: number,
  query: string,
): Promise<Look[]> {
  const looks: Look[] = [];
  for (let movedAt = performance.now(); ; await sleep(LOOK_EVERY_MS)) {
    const { cpu_ms, rss_mib } = usageOf(pid);
    const heap_mib = await heapOf(base_url);
    const { rows } = await admin.query<{ done: number }>(query);
    const [done, at_ms, before] = [rows[0]?.done ?? 0, performance.now(), looks.at(-1)];
    looks.push({ at_ms, done, cpu_ms, rss_mib, heap_mib, postgres_cpu_ms: usageOf(postgres.pid).cpu_ms });
    if (done >= count) return looks;
    if (done !== before?.done) movedAt = at_ms;
    if (at_ms - movedAt > STALLED_MS) throw new Error(`${done} of ${count} are done and nothing moves`);
  }
}

/** From the service's own metrics. */
async function heapOf(base_url: string): Promise<number> {
  const text = await (await fetch(`${base_url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\d+)/m.exec(text)?.[1]) / 1024 / 1024;
}

/** A table of what each took, and of the memory meanwhile: of all, and of each third, which should not differ. */
export function byThirds(title: string, looks: readonly Look[]): string[] {
  const count = looks.at(-1)?.done ?? 0;
  const third = (number: number) =>
    looks.filter(({ done }) => done >= (count * (number - 1)) / 3 && done <= (count * number) / 3);
  const parts = [looks, third(1), third(2), third(3)];
  const line = (label: string, of: (part: readonly Look[]) => number) =>
    row([label, ...parts.map((part) => figure(of(part)))]);
  return [
    `| ${title} | all | first third | second | last |`,
    '| --- | --: | --: | --: | --: |',
    line('per second', (part) => 1000 / each(part, 'at_ms')),
    line('CPU of the service, ms each', (part) => each(part, 'cpu_ms')),
    line('CPU of PostgreSQL, ms each', (part) => each(part, 'postgres_cpu_ms')),
    line('resident, MiB', (part) => median(part.map(({ rss_mib }) => rss_mib))),
    line('heap, least seen, MiB', (part) => Math.min(...part.map(({ heap_mib }) => heap_mib))),
  ];
}

/** How much of something went by for each that was done. */
function each(part: readonly Look[], of: 'at_ms' | 'cpu_ms' | 'postgres_cpu_ms'): number {
  const [first, last] = [part[0], part.at(-1)];
  return first && last ? (last[of] - first[of]) / (last.done - first.done) : Number.NaN;
}
