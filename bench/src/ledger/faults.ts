import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.ts';
import { type Copy, PROCESSES } from './copies.ts';
import type { Random } from './random.ts';
import { runtimesOf } from './runtimes.ts';
import { recovered, type Stage } from './stage.ts';

/** The stage that a fault acts on. */
interface Scene extends Stage {
  book: Book;
  random: Random;
}

interface Fault {
  name: string;
  /** Why it is impossible on this machine. */
  missing?: (stage: Stage) => string | false;
  /** Resolves when the fault is over; its consequences may last. */
  strike(scene: Scene): Promise<void>;
}

/** A service that is asked to end does so within 10 seconds on a quiet machine. */
const STOPS_WITHIN_MS = 20_000;

const seconds = (random: Random, low: number, high: number) => sleep(random.between(low * 1000, high * 1000));

export const FAULTS: readonly Fault[] = [
  {
    name: 'service killed',
    strike: async (scene) => oneOf(scene).service.kill(),
  },
  {
    name: 'service stopped',
    strike: async (scene) => {
      const copy = oneOf(scene);
      // A program that has just begun has nothing to end in order.
      const expected = scene.copies.isReady(copy) ? ['0'] : ['0', 'SIGTERM'];
      const exit = (await copy.service.restart(STOPS_WITHIN_MS)) ?? 'not at all';
      if (!expected.includes(exit))
        scene.book.find(PROCESSES, 'wrong', `${copy.name} was asked to end, and ended: ${exit}`);
    },
  },
  {
    name: 'PostgreSQL killed',
    strike: async ({ database }) => database.server.kill(),
  },
  {
    name: 'all killed',
    strike: async ({ database, copies }) => {
      database.server.kill();
      for (const { service } of copies.all) service.kill();
    },
  },
  {
    name: 'runtimes killed',
    strike: async ({ copies, random }) => {
      const living = random.shuffled(runtimesOf(copies));
      for (const { pid } of living.slice(0, random.between(1, living.length + 1))) kill(pid);
    },
  },
  {
    name: 'database read-only',
    strike: async ({ database, random }) => {
      await database.insist('alter database ledger set default_transaction_read_only = on');
      // A failover also ends all sessions.
      await database.insist(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'ledger'`,
      );
      await seconds(random, 1, 6);
      await database.insist('alter database ledger set default_transaction_read_only = off');
    },
  },
  {
    name: 'disk full',
    missing: ({ database }) => database.disk === undefined && 'this process may mount no file system',
    strike: async ({ database, random }) => {
      const giveBack = await database.fill();
      await seconds(random, 2, 6);
      await giveBack();
    },
  },
  {
    name: 'Redis frozen',
    missing: ({ redis }) => !redis && 'there is no redis-server',
    strike: async ({ redis, random }) => {
      const goOn = redis?.freeze();
      await seconds(random, 1, 6);
      goOn?.();
    },
  },
  {
    name: 'service frozen',
    strike: (scene) => freeze(scene, 1, 6),
  },
  {
    // Longer than every lease: 15 seconds of a job, 30 of a host.
    name: 'service frozen for long',
    missing: ({ copies }) => copies.all.length < 2 && 'there is one copy',
    strike: (scene) => freeze(scene, 20, 60),
  },
  {
    name: 'clock stepped',
    missing: ({ copies }) => copies.all.some(({ clock }) => !clock) && 'there is no libfaketime',
    strike: async (scene) => {
      const { clock } = oneOf(scene);
      await clock?.set(scene.random.between(-120, 121));
      await seconds(scene.random, 2, 6);
      await clock?.set(0);
    },
  },
];

/** Causes faults in random order until `isOver`, each once per round. @param say is called for each */
export async function strikeUntil(
  isOver: () => boolean,
  faults: readonly Fault[],
  scene: Scene,
  say: (line: string) => void,
): Promise<void> {
  const { book, random, copies } = scene;
  const possible = faults.filter(({ missing }) => !missing?.(scene));
  while (!isOver()) {
    for (const fault of random.shuffled(possible)) {
      await sleep(random.between(300, 4000));
      if (isOver()) return;
      const isPast = book.strike(fault.name);
      say(fault.name);
      await fault.strike(scene).finally(isPast);
      // A third of the faults follow before the service has recovered.
      if (random.next() > 1 / 3) await recovered(book, copies);
    }
    if (possible.length === 0) await sleep(300);
  }
}

const oneOf = ({ copies: { all }, random }: Scene): Copy => {
  const [chosen] = random.shuffled(all);
  if (!chosen) throw new Error('There is no copy of the service');
  return chosen;
};

async function freeze(scene: Scene, low: number, high: number): Promise<void> {
  const goOn = oneOf(scene).service.freeze();
  await seconds(scene.random, low, high);
  goOn();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process is already gone.
  }
}
