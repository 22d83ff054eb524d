import type { Running } from './contestants/contestant.ts';
import { contestants } from './contestants/index.ts';
import { requireWrk } from './load/wrk.ts';
import { type Options, readOptions, requireKnown } from './options.ts';
import { comparisons, memoryOf, RESULTS, type Section, writeReport } from './report.ts';
import { checkAll, runRounds } from './rounds.ts';
import { say } from './say.ts';
import { studies } from './studies/index.ts';
import type { Study } from './studies/study.ts';
import { workloads } from './workloads/index.ts';
import { openWorld, type World } from './world.ts';

/** They need nothing but the product. */
const SMOKE_CONTESTANTS = ['pgbench', 'service', 'bare-fastify'];

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  requireKnown('workloads', options.workloads, [...workloads, ...studies]);
  requireKnown('contestants', options.contestants, contestants);
  const chosen = [...workloads, ...studies].filter(({ name }) => isChosen(options.workloads, name));
  if (!options.smoke && chosen.some((one) => !('withoutWrk' in one))) await requireWrk();
  forgetOtherServers();
  say('Starting PostgreSQL and the service, and filling it');
  const world = await openWorld(
    options.tenants,
    options.profile ? ['--cpu-prof', `--cpu-prof-dir=${RESULTS}`] : [],
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void world.close().finally(() => process.exit(1)));
  }
  try {
    await bench(world, options);
  } finally {
    await world.close();
  }
}

/** PGSSLMODE, PGOPTIONS and the like are meant for other servers. */
function forgetOtherServers(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
}

async function bench(world: World, options: Options): Promise<void> {
  const chosen = workloads.filter(({ name }) => isChosen(options.workloads, name));
  const studied = studies.filter(({ name }) => isChosen(options.workloads, name));
  const running = await startAll(world, options);
  try {
    await checkAll(world, chosen, running);
    const checked = studied.filter((study) => study.check !== undefined);
    for (const study of checked) await study.check?.(world);
    say(`All answers are right: ${[...chosen, ...checked].map(({ name }) => name).join(', ')}`);
    const measurements = await runRounds(world, chosen, running, options);
    for (const one of running.values()) await one.stop();
    const sections = [...comparisons(chosen, measurements), ...(await runStudies(world, studied, options))];
    if (options.smoke) return;
    sections.push(memoryOf(world, measurements));
    const { markdown, path } = await writeReport({ postgresql: world.postgres.version }, sections, {
      measurements,
    });
    say(`\n${markdown}\n\nWritten to ${path}`);
  } finally {
    for (const one of running.values()) await one.stop();
  }
}

/** Peers have stopped, so the service has the machine to itself. */
async function runStudies(world: World, chosen: readonly Study[], options: Options): Promise<Section[]> {
  const sections: Section[] = [];
  for (const study of chosen.filter(({ isSmokable }) => isSmokable || !options.smoke)) {
    say(`  ${study.title}`);
    sections.push({ title: study.title, lines: await study.run(world, options) });
  }
  return sections;
}

const isChosen = (names: readonly string[], name: string) => names.length === 0 || names.includes(name);

async function startAll(world: World, options: Options): Promise<Map<string, Running>> {
  const running = new Map<string, Running>();
  const names = options.smoke ? SMOKE_CONTESTANTS : options.contestants;
  for (const contestant of contestants.filter(({ name }) => isChosen(names, name))) {
    const missing = contestant.missing?.();
    if (missing) say(`Left out: ${missing}`);
    else running.set(contestant.name, await contestant.start(world));
  }
  return running;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
