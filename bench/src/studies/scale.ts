import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAnswered } from '../call.ts';
import { createPlace } from '../fixtures.ts';
import { startPostgres } from '../postgres.ts';
import { figure, row } from '../report.ts';
import { fillScale } from '../scale-rows.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { usageOf } from '../usage.ts';
import { createDatabase } from '../world.ts';
import type { Study } from './study.ts';

const SIZES = [1000, 10_000, 100_000];
/** Longer than the minute after which the slowest jobs come again. */
const WINDOW_MS = 75_000;
const SCRAPE_MS = 15_000;
const SHOWN = 12;
/** Nobody listens there: pods stay as the database has them. */
const CLUSTER = {
  PROVISIONER: 'kubernetes',
  KUBERNETES_URL: 'https://127.0.0.1:9',
  KUBERNETES_NAMESPACE: 'runtimes',
  MTLS_PUBLIC_URL: 'https://runtimes.invalid:8443',
  RUNTIME_IMAGE: 'runtime:1',
  DRIVE_FILESYSTEM_ROOT: 'off',
};

interface StatementTime {
  text: string;
  calls: number;
  mean_ms: number;
  max_ms: number;
  rows_each: number;
}

interface Window {
  statements: StatementTime[];
  /** The service’s, of one core. */
  cpu_share: number;
  rss_mib: number;
  database_mib: number;
}

/** One copy asks this of the database by itself, while nobody does anything, with more and more instances. */
export const scale: Study = {
  name: 'scale',
  title: 'The statements of one copy at rest, as instances become more',
  withoutWrk: true,
  run: async ({ directory }) => {
    const place = join(directory, 'scale');
    const postgres = await startPostgres(place, { shared_preload_libraries: 'pg_stat_statements' });
    try {
      const installation = newInstallation(place, await createDatabase(postgres, 'scale'));
      const admin = new pg.Client({ connectionString: postgres.urlOf('postgres', 'scale') });
      await admin.connect();
      const environment = { ...CLUSTER, ...(await writeCredentials(place)) };
      const start = (name: string) => startService(installation, name, { role: 'all', environment });
      try {
        await admin.query('create extension pg_stat_statements');
        const first = await start('scale-empty');
        const { tier_id, region_id } = await createPlace({ admin, installation, base_url: first.base_url });
        await first.stop();
        const windows: Window[] = [];
        for (const size of SIZES) {
          await fillScale(admin, { tier_id, region_id }, size);
          windows.push(await watch(admin, await start(`scale-${size}`)));
        }
        return table(windows);
      } finally {
        await admin.end();
      }
    } finally {
      await postgres.stop();
    }
  },
};

async function writeCredentials(place: string) {
  const [KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE] = [join(place, 'ca.crt'), join(place, 'token')];
  await writeFile(KUBERNETES_CA_FILE, 'no authority');
  await writeFile(KUBERNETES_TOKEN_FILE, 'no-token');
  return { KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE };
}

async function watch(admin: pg.Client, service: RunningService): Promise<Window> {
  try {
    await admin.query('select pg_stat_statements_reset()');
    const before = usageOf(service.pid).cpu_ms;
    const began = performance.now();
    while (performance.now() - began < WINDOW_MS) {
      await isAnswered(service.base_url, { method: 'GET', path: '/metrics' });
      await sleep(SCRAPE_MS);
    }
    const { cpu_ms, rss_mib } = usageOf(service.pid);
    const { rows } = await admin.query<StatementTime>(
      `select regexp_replace(s.query, '\\s+', ' ', 'g') as text, s.calls::int, s.mean_exec_time as mean_ms,
              s.max_exec_time as max_ms, s.rows::float8 / s.calls as rows_each
       from pg_stat_statements s join pg_roles r on r.oid = s.userid
       where r.rolname <> 'postgres' and s.toplevel order by s.total_exec_time desc limit $1`,
      [SHOWN],
    );
    const size = await admin.query<{ mib: number }>(
      'select pg_database_size(current_database())::float8 / 1048576 as mib',
    );
    return {
      statements: rows,
      cpu_share: (cpu_ms - before) / (performance.now() - began),
      rss_mib,
      database_mib: size.rows[0]?.mib ?? Number.NaN,
    };
  } finally {
    await service.stop();
  }
}

function table(windows: readonly Window[]): string[] {
  const texts = [...new Set(windows.flatMap(({ statements }) => statements.map(({ text }) => text)))];
  const timesOf = (text: string) =>
    windows.map(({ statements }) => {
      const found = statements.find((statement) => statement.text === text);
      return found ? `${figure(found.mean_ms)} (${figure(found.max_ms)})` : '';
    });
  const callsOf = (text: string) =>
    windows.flatMap(({ statements }) => statements.find((one) => one.text === text)?.calls ?? []).at(-1);
  const titles = SIZES.map((size) => `${size}: mean (most) ms`);
  return [
    row(['statement', `calls in ${WINDOW_MS / 1000} s`, ...titles]),
    row(['---', ...['', ...titles].map(() => '--:')]),
    ...texts.map((text) =>
      row([`\`${text.trim().slice(0, 90).replaceAll('|', '¦')}\``, String(callsOf(text)), ...timesOf(text)]),
    ),
    row(['the copy: share of a core', '', ...windows.map(({ cpu_share }) => figure(cpu_share))]),
    row(['the copy: MiB resident', '', ...windows.map(({ rss_mib }) => figure(rss_mib))]),
    row(['the database: MiB', '', ...windows.map(({ database_mib }) => figure(database_mib))]),
  ];
}
