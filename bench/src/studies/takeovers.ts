import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Place } from '../fixtures.ts';
import { createPerson, deployOne, type Person, terminateAll } from '../neighbours/people.ts';
import { freePort } from '../ports.ts';
import { figure, row } from '../report.ts';
import { newInstallation, type RunningService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { cpuOf } from '../usage.ts';
import { createDatabase } from '../world.ts';
import type { Study } from './study.ts';

const NAME = 'takeovers';
/** Deploys by which the service is measured while it looks after its runtimes. */
const DEPLOYS = 7;
const DEPLOYS_AT_ONCE = 4;
const LOOK_EVERY_MS = 100;
/** Looks at memory come every half second, and rounds of health every five. */
const WINDOW_S = 15;

interface Seen {
  cores: number;
  most_files: number;
  deploy_s: number;
  up: number;
}

export const takeovers: Study = {
  name: NAME,
  title: 'Runtimes that a service takes over from one that was killed',
  run: async (world, { instances }) => {
    const installation = newInstallation(world.directory, await createDatabase(world.postgres, NAME));
    const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', NAME) });
    await admin.connect();
    // Runtimes know the addresses, so the next service has to have them too.
    const ports = { port: await freePort(), mtls_port: await freePort() };
    const environment = { RUNTIME_ISOLATION: 'preferred' };
    const start = () => startService(installation, NAME, { role: 'all', ports, environment });
    let service = await start();
    try {
      const place: Place = { admin, installation, base_url: service.base_url };
      const person = await createPerson(place);
      for (let left = instances; left > 0; left -= DEPLOYS_AT_ONCE) {
        const some = Math.min(left, DEPLOYS_AT_ONCE);
        await Promise.all(Array.from({ length: some }, () => deployOne(place, person)));
      }
      const before = await look(place, person, service);
      await service.kill();
      service = await start();
      const after = await look(place, person, service);
      await terminateAll(place, person);
      return [
        `| ${instances} instances | runtimes up | cores of the service | open files at most | a deploy takes s |`,
        '| --- | --: | --: | --: | --: |',
        rowOf('started by the service', before),
        rowOf('taken over', after),
      ];
    } finally {
      await service.stop();
      await admin.end();
    }
  },
};

const rowOf = (name: string, { up, cores, most_files, deploy_s }: Seen) =>
  row([name, String(up), figure(cores), String(most_files), figure(deploy_s)]);

/** Rejects when the service ends meanwhile. */
async function look(place: Place, person: Person, { pid }: RunningService): Promise<Seen> {
  const began = { at: performance.now(), cpu_ms: cpuOf(pid) };
  let most_files = 0;
  while (performance.now() - began.at < WINDOW_S * 1000) {
    most_files = Math.max(most_files, readdirSync(`/proc/${pid}/fd`).length);
    await sleep(LOOK_EVERY_MS);
  }
  const cores = (cpuOf(pid) - began.cpu_ms) / (performance.now() - began.at);
  const deploys: number[] = [];
  while (deploys.length < DEPLOYS) deploys.push((await deployOne(place, person)).seconds);
  return { cores, most_files, deploy_s: median(deploys), up: await countUp(place) };
}

async function countUp({ admin }: Place): Promise<number> {
  const { rows } = await admin.query<{ up: number }>(
    `select count(*)::integer as up from runtime_states where state = 'up'`,
  );
  return rows[0]?.up ?? 0;
}
