import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Call, send } from '../call.ts';
import { createTenant, type FullTenant, type Place, tenantCall } from '../fixtures.ts';
import { count, type Tally } from '../load/paced.ts';
import { createRecipes } from '../neighbours/people.ts';
import { failuresIn, type Seen, steady } from '../neighbours/steady.ts';
import { figure, row } from '../report.ts';
import { say } from '../say.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { createDatabase, type World } from '../world.ts';
import type { Study } from './study.ts';

const NAME = 'bulkheads';
const PER_SECOND = 50;
const WRITERS = 40;
/** Few requests have no meaningful percentile. */
const LONGER = 3;
const LOOK_EVERY_MS = 200;

interface Window {
  own: Seen;
  other: Seen;
  ready: Tally;
  written: Tally;
}

interface Scene {
  admin: pg.Client;
  copies: readonly [RunningService, RunningService];
  writer: FullTenant;
  own: readonly Call[];
  other: readonly Call[];
  seconds: number;
}

export const bulkheads: Study = {
  name: NAME,
  title: `Get one recipe ${PER_SECOND} times a second of each of two copies, beside ${WRITERS} writers on a locked table`,
  run: (world, { repeats, seconds }) =>
    withCopies(world, async (place, copies) => {
      const [writer, stranger] = [await createTenant(place), await createTenant(place)];
      const own = await createRecipes(place, { tenant: writer });
      const other = await createRecipes(place, { tenant: stranger });
      const scene: Scene = { admin: place.admin, copies, writer, own, other, seconds: seconds * LONGER };
      // Lets the JIT compile.
      await measure(scene, false);
      const rounds: { quiet: Window; locked: Window }[] = [];
      while (rounds.length < repeats) {
        const round = { quiet: await measure(scene, false), locked: await measure(scene, true) };
        const times = [round.quiet, round.locked].flatMap(({ own: mine, other: theirs }) => [
          figure(mine.p99_ms),
          figure(theirs.p99_ms),
        ]);
        say(`  ${rounds.length + 1}/${repeats} p99 quiet and locked: ${times.join(', ')} ms`);
        rounds.push(round);
      }
      return table(rounds);
    }),
};

/** The lock would block the service of the other workloads. */
async function withCopies(
  world: World,
  run: (place: Place, copies: readonly [RunningService, RunningService]) => Promise<string[]>,
): Promise<string[]> {
  const installation = newInstallation(world.directory, await createDatabase(world.postgres, NAME));
  const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', NAME) });
  const first = await startService(installation, `${NAME}-1`);
  try {
    const second = await startService(installation, `${NAME}-2`);
    try {
      await admin.connect();
      return await run({ admin, installation, base_url: first.base_url }, [first, second]);
    } finally {
      await second.stop();
    }
  } finally {
    await first.stop();
    await admin.end();
  }
}

async function measure({ admin, copies, writer, own, other, seconds }: Scene, isLocked: boolean) {
  const end = new AbortController();
  const [ready, written]: [Tally, Tally] = [{}, {}];
  if (isLocked) await admin.query('begin; lock table customers in access exclusive mode');
  const writers = Array.from({ length: isLocked ? WRITERS : 0 }, (_, nth) =>
    write(copies[nth % 2 === 0 ? 0 : 1], writer, written, end.signal),
  );
  const watching = copies.map((copy) => lookReady(copy, ready, end.signal));
  const users = [
    { base_url: copies[0].base_url, calls: own, per_second: PER_SECOND, seconds },
    { base_url: copies[1].base_url, calls: other, per_second: PER_SECOND, seconds },
  ] as const;
  try {
    const [mine, theirs] = await Promise.all([steady(users[0]), steady(users[1])]);
    return { own: mine, other: theirs, ready, written };
  } finally {
    end.abort();
    if (isLocked) await admin.query('rollback');
    await Promise.all([...writers, ...watching]);
  }
}

async function write({ base_url }: RunningService, tenant: FullTenant, tally: Tally, stop: AbortSignal) {
  while (!stop.aborted) {
    const email = `${randomUUID()}@example.com`;
    const { status } = await send(base_url, tenantCall(tenant, 'POST', '/v1/customers', { email }));
    count(tally, String(status));
  }
}

async function lookReady({ base_url }: RunningService, tally: Tally, stop: AbortSignal) {
  for (; !stop.aborted; await sleep(LOOK_EVERY_MS)) {
    const { status } = await send(base_url, { method: 'GET', path: '/readyz' });
    count(tally, String(status));
  }
}

function table(rounds: readonly { quiet: Window; locked: Window }[]): string[] {
  const line = (name: string, who: 'own' | 'other') => {
    const of = (which: 'quiet' | 'locked') => median(rounds.map((round) => round[which][who].p99_ms));
    const ratio = median(rounds.map(({ quiet, locked }) => locked[who].p99_ms / quiet[who].p99_ms));
    const failures = rounds.reduce((sum, { locked }) => sum + failuresIn(locked[who]), 0);
    return row([name, figure(of('quiet')), figure(of('locked')), figure(ratio), String(failures)]);
  };
  return [
    '| reads of | p99 quiet ms | p99 locked ms | ÷ quiet | 5xx, timeouts, broken |',
    '| --- | --: | --: | --: | --: |',
    line('the tenant that writes, at one copy', 'own'),
    line('another tenant, at the other', 'other'),
    '',
    `/readyz of both copies meanwhile: ${described(rounds.map(({ locked }) => locked.ready))}. ` +
      `The writers got: ${described(rounds.map(({ locked }) => locked.written))}.`,
  ];
}

function described(tallies: readonly Tally[]): string {
  const sum: Tally = {};
  for (const tally of tallies) for (const [kind, times] of Object.entries(tally)) count(sum, kind, times);
  return Object.entries(sum)
    .map(([kind, times]) => `${times} ${kind}`)
    .join(', ');
}
