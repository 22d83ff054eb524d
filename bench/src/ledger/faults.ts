import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.ts';
import type { Random } from './random.ts';
import { type Stage, until } from './stage.ts';

interface Fault {
  name: string;
  /** Why it is impossible on this machine. */
  missing?: (stage: Stage) => string | false;
  /** Resolves when the fault is over; its consequences may last. */
  strike(stage: Stage, random: Random): Promise<void>;
}

const seconds = (random: Random, low: number, high: number) => sleep(random.between(low * 1000, high * 1000));

export const FAULTS: readonly Fault[] = [
  {
    name: 'service killed',
    strike: async ({ service }) => service.kill(),
  },
  {
    name: 'PostgreSQL killed',
    strike: async ({ database }) => database.server.kill(),
  },
  {
    name: 'both killed',
    strike: async ({ database, service }) => {
      database.server.kill();
      service.kill();
    },
  },
  {
    name: 'runtimes killed',
    strike: async ({ data_dir }, random) => {
      const living = random.shuffled(runtimesOf(data_dir));
      for (const pid of living.slice(0, random.between(1, living.length + 1))) kill(pid);
    },
  },
  {
    name: 'database read-only',
    strike: async ({ database }, random) => {
      await setReadOnly(database, 'on');
      // A failover also ends all sessions.
      await insist(() =>
        database.administer(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'ledger'`,
        ),
      );
      await seconds(random, 1, 6);
      await setReadOnly(database, 'off');
    },
  },
  {
    name: 'disk full',
    missing: ({ database }) => database.disk === undefined && 'this process may mount no file system',
    strike: async ({ database }, random) => {
      const giveBack = await database.fill();
      await seconds(random, 2, 6);
      await giveBack();
    },
  },
  {
    name: 'Redis frozen',
    missing: ({ redis }) => !redis && 'there is no redis-server',
    strike: ({ redis }, random) => freeze(redis, random),
  },
  {
    name: 'service frozen',
    strike: ({ service }, random) => freeze(service, random),
  },
  {
    name: 'clock stepped',
    missing: ({ setClock }) => !setClock && 'there is no libfaketime',
    strike: async ({ setClock }, random) => {
      await setClock?.(random.between(-120, 121));
      await seconds(random, 2, 6);
      await setClock?.(0);
    },
  },
];

/** Causes faults in random order until `isOver`, each once per round. @param say is called for each */
export async function strikeUntil(
  isOver: () => boolean,
  stage: Stage,
  { book, random, say }: { book: Book; random: Random; say: (line: string) => void },
): Promise<void> {
  const possible = FAULTS.filter(({ missing }) => !missing?.(stage));
  while (!isOver()) {
    for (const fault of random.shuffled(possible)) {
      await sleep(random.between(300, 4000));
      if (isOver()) return;
      book.strike(fault.name);
      say(fault.name);
      await fault.strike(stage, random);
      // A third of the faults follow before the service has recovered.
      if (random.next() > 1 / 3) await until(stage.isReady);
    }
  }
}

async function freeze(
  program: { signal(signal: 'SIGSTOP' | 'SIGCONT'): void } | undefined,
  random: Random,
): Promise<void> {
  program?.signal('SIGSTOP');
  await seconds(random, 1, 6);
  program?.signal('SIGCONT');
}

const setReadOnly = (database: Stage['database'], value: 'on' | 'off') =>
  insist(() => database.administer(`alter database ledger set default_transaction_read_only = ${value}`));

/** Retries, because the server may be restarting. */
async function insist(act: () => Promise<void>): Promise<void> {
  await until(() =>
    act().then(
      () => true,
      () => false,
    ),
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process is already gone.
  }
}

/** Pids of live runtimes, without the programs that confine them. */
export function runtimesOf(data_dir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split('\0');
      const isOurs = variables.includes(`ACP_DATA_DIR=${data_dir}`);
      return isOurs && read(`/proc/${pid}/cmdline`).includes('accounting-runtime');
    })
    .filter((pid) => !['sh', 'unshare', 'setpriv'].includes(read(`/proc/${pid}/comm`).trim()))
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
