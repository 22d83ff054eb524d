import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPlace, createTenant } from '../fixtures.ts';
import { employ } from './agent-load.ts';
import { Api } from './api.ts';
import { Book } from './book.ts';
import { FAULTS, strikeUntil } from './faults.ts';
import { Random } from './random.ts';
import { watchRuntimes } from './runtimes.ts';
import { openStage, RECOVERIES, recovered, type Stage } from './stage.ts';
import { type Check, type WriterContext, writers } from './writers.ts';

export interface LedgerOptions {
  seconds: number;
  /** Repeats the faults and pauses of a run, but not the scheduling of its processes. */
  seed: number;
  /** How many processes of the service there are. */
  copies: number;
  /** The service's program. */
  main: string;
  /** The names of the faults that may strike. */
  faults: readonly string[];
  /** The run ends once there is so much of each of these kinds, even if the time is not over. */
  enough: Readonly<Record<string, number>>;
  /** How long something may stand still at the end before it counts as lost. */
  patienceSeconds: number;
  say: (line: string) => void;
}

export interface Report {
  book: Book;
  /** Faults that are impossible on this machine. */
  skipped: { name: string; reason: string }[];
}

/** From so many seconds on, a run has what takes minutes. */
const LONG_SECONDS = 300;

/**
 * Runs the service under random faults while clients write, then reports what is lost, doubled, out of order, invented or
 * wrong.
 */
export async function runLedger(options: LedgerOptions): Promise<Report> {
  const book = new Book();
  const { copies, main, seed } = options;
  const stage = await openStage({ book, copies, main, random: new Random(seed + 2) });
  const close = () => void stage.close().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
  try {
    return await runOn(stage, book, options);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, close);
    await stage.close();
  }
}

async function runOn(stage: Stage, book: Book, options: LedgerOptions): Promise<Report> {
  const { seconds, seed, say, enough } = options;
  const faults = FAULTS.filter(({ name }) => options.faults.includes(name));
  const skipped = faults.flatMap(({ name, missing }) => {
    const reason = missing?.(stage);
    return reason ? [{ name, reason }] : [];
  });
  for (const { name, reason } of skipped) say(`Skipped: ${name}, for ${reason}`);
  let [isOver, ended] = [false, Infinity];
  const context = await openContext(stage, book, options, { isOver: () => isOver, ended: () => ended });
  const writing = [
    ...writers.map((write) => write(context)),
    employ(context, stage),
    watchRuntimes(context, stage.copies),
  ];
  const checks = Promise.all(writing.map((writes) => orNothing(writes, book)));
  const scene = { ...stage, book, random: new Random(seed + 1) };
  const striking = { isDone: false };
  const struck = noteFailure(
    strikeUntil(() => isOver, faults, scene, say),
    book,
  ).finally(() => (striking.isDone = true));
  const hasEnough = () =>
    Object.keys(enough).length > 0 &&
    Object.entries(enough).every(([kind, count]) => book.numberOf(kind) >= count);
  // A service that does not recover is a finding, and ends the run.
  for (const end = Date.now() + seconds * 1000; Date.now() < end && !striking.isDone && !hasEnough(); )
    await sleep(100);
  [isOver, ended] = [true, Date.now()];
  await struck;
  await noteFailure(recovered(book, stage.copies), book);
  say('The faults are over; the ledger is compared');
  for (const check of await checks) await noteFailure(check(), book);
  return { book, skipped };
}

/** A failed writer is a finding, but the others are still compared. */
async function orNothing(done: Promise<Check>, book: Book): Promise<Check> {
  try {
    return await done;
  } catch (error) {
    book.find(RECOVERIES, 'wrong', reasonOf(error));
    return () => Promise.resolve();
  }
}

async function noteFailure(done: Promise<void>, book: Book): Promise<void> {
  await done.catch((error: unknown) => book.find(RECOVERIES, 'wrong', reasonOf(error)));
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function openContext(
  { installation, copies, database }: Stage,
  book: Book,
  { seed, seconds, patienceSeconds }: LedgerOptions,
  { isOver, ended }: Pick<WriterContext, 'isOver' | 'ended'>,
): Promise<WriterContext> {
  const random = new Random(seed);
  const admin = new pg.Client({ connectionString: database.urlOf('postgres', 'ledger') });
  await admin.connect();
  try {
    const place = { admin, installation, base_url: copies.pick() };
    const { headers, login } = await createTenant(place);
    const began = Date.now();
    return {
      api: new Api(copies, headers, book),
      book,
      isOver,
      ended,
      began: () => began,
      pause: () => sleep(random.between(20, 400)),
      login,
      ...(await createPlace(place)),
      isLong: seconds >= LONG_SECONDS,
      patienceMs: patienceSeconds * 1000,
      conversations: new Map(),
    };
  } finally {
    await admin.end();
  }
}
