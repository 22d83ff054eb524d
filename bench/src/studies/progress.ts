import { setTimeout as sleep } from 'node:timers/promises';
import { figure, row } from '../report.ts';
import type { RunningService } from '../service.ts';
import { median } from '../statistics.ts';
import { usageOf } from '../usage.ts';
import type { World } from '../world.ts';

const SAMPLE_EVERY_MS = 500;
/** Without progress for this long, the work has failed. */
const STALLED_MS = 60_000;

interface Sample {
  at_ms: number;
  done: number;
  cpu_ms: number;
  postgres_cpu_ms: number;
  rss_mib: number;
  /** Includes garbage, so the least of many samples is the live heap. */
  heap_mib: number;
}

/** Samples a service until `query`, which returns `done`, reaches `count`. */
export async function sampleUntil(
  { admin, postgres }: World,
  { base_url, pid }: RunningService,
  count: number,
  query: string,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let movedAt = performance.now(); ; await sleep(SAMPLE_EVERY_MS)) {
    const { cpu_ms, rss_mib } = usageOf(pid);
    const heap_mib = await heapOf(base_url);
    const { rows } = await admin.query<{ done: number }>(query);
    const [done, at_ms, before] = [rows[0]?.done ?? 0, performance.now(), samples.at(-1)];
    samples.push({ at_ms, done, cpu_ms, rss_mib, heap_mib, postgres_cpu_ms: usageOf(postgres.pid).cpu_ms });
    if (done >= count) return samples;
    if (done !== before?.done) movedAt = at_ms;
    if (at_ms - movedAt > STALLED_MS) throw new Error(`${done} of ${count} are done and nothing moves`);
  }
}

async function heapOf(base_url: string): Promise<number> {
  const text = await (await fetch(`${base_url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\d+)/m.exec(text)?.[1]) / 1024 / 1024;
}

/** The thirds should not differ. */
export function byThirds(title: string, samples: readonly Sample[]): string[] {
  const count = samples.at(-1)?.done ?? 0;
  const third = (number: number) =>
    samples.filter(({ done }) => done >= (count * (number - 1)) / 3 && done <= (count * number) / 3);
  const parts = [samples, third(1), third(2), third(3)];
  const line = (label: string, of: (part: readonly Sample[]) => number) =>
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

function each(part: readonly Sample[], of: 'at_ms' | 'cpu_ms' | 'postgres_cpu_ms'): number {
  const [first, last] = [part[0], part.at(-1)];
  return first && last ? (last[of] - first[of]) / (last.done - first.done) : Number.NaN;
}
