import { type Issued, renewEach, signAlone } from '../renewing.ts';
import { figure, row } from '../report.ts';
import { enrolledRuntimes, newCsr } from '../runtimes.ts';
import { median, spread } from '../statistics.ts';
import type { Study } from './study.ts';

const AT_A_TIME = [1, 8];
const FLOOR = 'library alone';

type Round = Record<string, Issued>;

/**
 * Compares renewals with the unavoidable signing by the library (signing.mjs). Rules for keys, the inventory, HTTP
 * and TLS are the service's alone. Each renewal is of another instance, so none is a replay.
 */
export const renewals: Study = {
  name: 'renewals',
  title: 'Certificates renewed over mutual TLS, and the X.509 library’s signing alone',
  check: async (world) => {
    const runtimes = await enrolledRuntimes(world, await newCsr(world.directory), 3);
    for (const connected of [true, false]) await renewEach(world, runtimes, 2, connected);
  },
  run: async (world, { repeats, seconds, renewals: count }) => {
    const csr = await newCsr(world.directory);
    const runtimes = await enrolledRuntimes(world, csr, count);
    const contestants: Record<string, (atATime: number) => Promise<Issued>> = {
      [FLOOR]: (atATime) => signAlone('library', csr, atATime, seconds),
      'service’s signing alone': (atATime) => signAlone('service', csr, atATime, seconds),
      'service, connected before': (atATime) => renewEach(world, runtimes, atATime, true),
      'service, with the handshake': (atATime) => renewEach(world, runtimes, atATime, false),
    };
    // Lets the JIT compile.
    for (const atATime of AT_A_TIME) await renewEach(world, runtimes, atATime, false);
    const rounds = AT_A_TIME.map(() => [] as Round[]);
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const [index, atATime] of AT_A_TIME.entries()) {
        const round: Round = {};
        for (const [name, measure] of Object.entries(contestants)) round[name] = await measure(atATime);
        rounds[index]?.push(round);
      }
    }
    return [
      '| at a time | who | certificates/s (least to most) | ÷ library | CPU µs each | PostgreSQL’s |',
      '| --: | --- | --: | --: | --: | --: |',
      ...rounds.flatMap((some, index) =>
        Object.keys(contestants).map((name) => row([String(AT_A_TIME[index]), name, ...cellsOf(some, name)])),
      ),
    ];
  },
};

const rate = ({ count, seconds }: Issued) => count / seconds;

function cellsOf(rounds: readonly Round[], name: string): string[] {
  const all = (pick: (one: Issued) => number, who = name) =>
    rounds.flatMap(({ [who]: one }) => (one ? [pick(one)] : []));
  const rates = all(rate);
  const floor = all(rate, FLOOR);
  return [
    `${figure(median(rates))} (${spread(rates).map(figure).join(' to ')})`,
    figure(median(rates.map((own, repeat) => own / (floor[repeat] ?? Number.NaN)))),
    figure(median(all(({ cpu_ms, count }) => (cpu_ms * 1000) / count))),
    figure(median(all(({ postgres_cpu_ms, count }) => (postgres_cpu_ms * 1000) / count))),
  ];
}
