import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Call } from '../call.ts';
import type { Place } from '../fixtures.ts';
import type { Tally } from '../load/paced.ts';
import { createFloods, type Flood } from '../neighbours/floods.ts';
import { createPerson, createRecipes, deployOne, type Person, terminateAll } from '../neighbours/people.ts';
import { failuresIn, type Seen, steady } from '../neighbours/steady.ts';
import { freePort } from '../ports.ts';
import { figure, row } from '../report.ts';
import { say } from '../say.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { createDatabase, type World } from '../world.ts';
import type { Study } from './study.ts';

const NAME = 'neighbours';
const PER_SECOND = 50;
/** Few requests have no meaningful percentile, so windows are longer. */
const LONGER = 3;
const REST_MS = 2000;
const QUIET = 'nobody';
const ALL = 'all of them together';

interface Window extends Seen {
  deploy_s: number;
  tallies: Tally[];
}

interface Neighbourhood {
  place: Place;
  user: Person;
  calls: Call[];
  floods: ReadonlyMap<string, Flood>;
  seconds: number;
}

export const neighbours: Study = {
  name: NAME,
  title: `Get one recipe ${PER_SECOND} times a second, and deploy, beside a neighbour at its worst`,
  run: (world, { repeats, seconds }) =>
    withService(world, async (service, place) => {
      const user = await createPerson(place);
      const calls = await createRecipes(place, user);
      const { directory } = world;
      const { mtls_url } = service;
      const floods = await createFloods(place, await createPerson(place), { mtls_url, directory });
      const street: Neighbourhood = { place, user, calls, floods, seconds: seconds * LONGER };
      const beside = new Map<string, readonly Flood[]>([
        [QUIET, []],
        ...[...floods].map(([name, flood]) => [name, [flood]] as const),
        [ALL, [...floods.values()]],
      ]);
      // Lets the JIT compile.
      await measure(street, []);
      const rounds: ReadonlyMap<string, Window>[] = [];
      while (rounds.length < repeats) {
        const round = new Map<string, Window>();
        for (const [name, some] of beside) {
          const window = await measure(street, some);
          const { p50_ms, p99_ms, max_ms, deploy_s } = window;
          const times = [p50_ms, p99_ms, max_ms].map(figure).join(', ');
          say(
            `  ${rounds.length + 1}/${repeats} beside ${name}: p50, p99, slowest ${times} ms, ${failuresIn(window)} failures, deploy ${figure(deploy_s)} s`,
          );
          round.set(name, window);
        }
        rounds.push(round);
      }
      return [...table([...beside.keys()], rounds), '', await isolationOf(service)];
    }),
};

/** Other workloads leave jobs behind, so it has a database of its own. */
async function withService(
  world: World,
  run: (service: RunningService, place: Place) => Promise<string[]>,
): Promise<string[]> {
  const installation = newInstallation(world.directory, await createDatabase(world.postgres, NAME));
  const channel = createServer((request, response) =>
    request.resume().on('end', () => response.end(JSON.stringify({ messages: [{ id: randomUUID() }] }))),
  );
  const port = await freePort();
  await once(channel.listen(port, '127.0.0.1'), 'listening');
  const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', NAME) });
  const environment = {
    CHATAPP_API_BASE_URL: `http://127.0.0.1:${port}`,
    FORWARDED_FOR_PROXIES: '127.0.0.1',
    RUNTIME_ISOLATION: 'preferred',
  };
  try {
    const service = await startService(installation, NAME, { role: 'all', environment });
    try {
      await admin.connect();
      return await run(service, { admin, installation, base_url: service.base_url });
    } finally {
      await service.stop();
    }
  } finally {
    await admin.end();
    channel.close();
  }
}

async function measure(
  { place, user, calls, seconds }: Neighbourhood,
  floods: readonly Flood[],
): Promise<Window> {
  await sleep(REST_MS);
  const { base_url } = place;
  const end = new AbortController();
  const observe = async () => {
    try {
      const seen = await steady({ base_url, calls, per_second: PER_SECOND, seconds });
      return { ...seen, deploy_s: (await deployOne(place, user)).seconds };
    } finally {
      end.abort();
    }
  };
  const [seen, tallies] = await Promise.all([
    observe(),
    Promise.all(floods.map((flood) => flood(end.signal))),
  ]);
  await terminateAll(place, user);
  return { ...seen, tallies };
}

function table(names: readonly string[], rounds: readonly ReadonlyMap<string, Window>[]): string[] {
  return [
    '| beside | p50 ms | ÷ nobody | p99 ms | ÷ nobody | slowest ms | 5xx, timeouts, broken | other than 200 | deploy s | ÷ nobody | what the floods got, in the last repeat |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |',
    ...names.map((name) => {
      const windows = rounds.flatMap((round) => round.get(name) ?? []);
      const pair = (pick: (window: Window) => number) => {
        const values = windows.map(pick);
        const ratios = rounds.flatMap((round) => {
          const [own, quiet] = [round.get(name), round.get(QUIET)];
          return own && quiet ? [pick(own) / pick(quiet)] : [];
        });
        return [figure(median(values)), figure(median(ratios))];
      };
      const sum = (pick: (window: Window) => number) => String(windows.map(pick).reduce((a, b) => a + b, 0));
      return row([
        name,
        ...pair(({ p50_ms }) => p50_ms),
        ...pair(({ p99_ms }) => p99_ms),
        figure(Math.max(...windows.map(({ max_ms }) => max_ms))),
        sum(failuresIn),
        sum(({ answers: { 200: _right, ...others } }) => Object.values(others).reduce((a, b) => a + b, 0)),
        ...pair(({ deploy_s }) => deploy_s),
        (windows.at(-1)?.tallies ?? []).map(described).join('; '),
      ]);
    }),
  ];
}

const described = (tally: Tally) =>
  Object.entries(tally)
    .map(([kind, times]) => `${times} ${kind}`)
    .join(', ');

async function isolationOf({ base_url }: RunningService): Promise<string> {
  const answer = (await (await fetch(`${base_url}/readyz`)).json()) as { checks?: { isolation?: string } };
  return `Isolation of runtimes: ${answer.checks?.isolation ?? 'unknown'}.`;
}
