import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from './measure.ts';
import { median, spread } from './statistics.ts';
import { usageOf } from './usage.ts';
import type { Workload } from './workloads/workload.ts';
import type { World } from './world.ts';

export const RESULTS = join(import.meta.dirname, '../results');
const FLOOR = 'pgbench';
const SUBJECT = 'service';

export interface Section {
  title: string;
  lines: string[];
}

export const comparisons = (
  workloads: readonly Workload[],
  measurements: readonly Measurement[],
): Section[] =>
  workloads.map(({ name, title }) => ({
    title,
    lines: [
      '| connections | who | requests/s (least to most) | ÷ pgbench | service is × times | p50 ms | p99 ms | CPU µs each | PostgreSQL’s | MiB |',
      '| --: | --- | --: | --: | --: | --: | --: | --: | --: | --: |',
      ...rowsOf(measurements.filter(({ workload }) => workload === name)),
    ],
  }));

function rowsOf(measurements: readonly Measurement[]): string[] {
  const first = measurements.filter(({ repeat }) => repeat === 1);
  return first.map(({ connections, contestant }) => {
    const group = measurements.filter(
      (one) => one.connections === connections && one.contestant === contestant,
    );
    const all = (pick: (one: Measurement) => number | undefined) =>
      group.map((one) => pick(one) ?? Number.NaN);
    const ratioTo = (other: string) =>
      group.map((one) => one.requests_per_s / rateOf(measurements, { ...one, contestant: other }));
    const rates = all((one) => one.requests_per_s);
    return row([
      String(connections),
      contestant,
      `${figure(median(rates))} (${spread(rates).map(figure).join(' to ')})`,
      figure(median(ratioTo(FLOOR))),
      contestant === SUBJECT ? '' : figure(1 / median(ratioTo(SUBJECT))),
      ...[
        all((one) => one.p50_ms),
        all((one) => one.p99_ms),
        all((one) => one.cpu_us_per_request),
        all((one) => one.postgres_cpu_us_per_request),
        all((one) => one.rss_mib),
      ].map((values) => figure(median(values))),
    ]);
  });
}

function rateOf(measurements: readonly Measurement[], same: Measurement): number {
  const found = measurements.find(
    ({ contestant, connections, repeat }) =>
      contestant === same.contestant && connections === same.connections && repeat === same.repeat,
  );
  return found?.requests_per_s ?? Number.NaN;
}

export function memoryOf({ service }: World, measurements: readonly Measurement[]): Section {
  const own = measurements.filter(({ contestant }) => contestant === SUBJECT);
  const repeats = [...new Set(own.map(({ repeat }) => repeat))];
  const lines = repeats.map((repeat) => {
    const last = own.findLast((one) => one.repeat === repeat);
    return row([`after repeat ${repeat}`, figure(last?.rss_mib ?? Number.NaN)]);
  });
  const now = row(['at the end', figure(usageOf(service.pid).rss_mib)]);
  return {
    title: 'Memory of the service',
    lines: ['| when | resident, MiB |', '| --- | --: |', ...lines, now],
  };
}

export const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Three significant digits; empty for NaN. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (value === 0 || Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

export async function writeReport(
  versions: Readonly<Record<string, string>>,
  sections: readonly Section[],
  data: object,
): Promise<{ markdown: string; path: string }> {
  const machine = {
    cpus: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory_gib: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    ...versions,
    ...(process.env.LD_PRELOAD && { preloaded: process.env.LD_PRELOAD }),
  };
  const markdown = [
    '# Measurements',
    Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · '),
    ...sections.map(({ title, lines }) => `## ${title}\n\n${lines.join('\n')}`),
  ].join('\n\n');
  await mkdir(RESULTS, { recursive: true });
  const at = new Date().toISOString();
  const path = join(RESULTS, at.slice(0, 19).replaceAll(':', '-'));
  await writeFile(`${path}.md`, `${markdown}\n`);
  await writeFile(`${path}.json`, `${JSON.stringify({ at, machine, sections, ...data }, null, 2)}\n`);
  return { markdown, path: `${path}.md` };
}
