import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPlace, createTenant } from '../fixtures.ts';
import { Api } from './api.ts';
import { Book } from './book.ts';
import { FAULTS, strikeUntil } from './faults.ts';
import { Random } from './random.ts';
import { openStage, type Stage, until } from './stage.ts';
import { deployAgent, talk } from './talks.ts';
import { type Check, type WriterContext, writers } from './writers.ts';

interface LedgerOptions {
  seconds: number;
  /** Repeats the faults and pauses of a run, but not the scheduling of its processes. */
  seed: number;
  say: (line: string) => void;
}

export interface Report {
  book: Book;
  /** Faults that are impossible on this machine. */
  skipped: { name: string; reason: string }[];
  /** Counts ends of the service without a kill. */
  ownEnds: number;
}

/**
 * Runs the service under random faults while clients write, then reports acknowledged writes that are lost, doubled or out of
 * order.
 */
export async function runLedger(options: LedgerOptions): Promise<Report> {
  const stage = await openStage();
  const close = () => void stage.close().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
  try {
    return await runOn(stage, options);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, close);
    await stage.close();
  }
}

async function runOn(stage: Stage, { seconds, seed, say }: LedgerOptions): Promise<Report> {
  const skipped = FAULTS.flatMap(({ name, missing }) => {
    const reason = missing?.(stage);
    return reason ? [{ name, reason }] : [];
  });
  for (const { name, reason } of skipped) say(`Skipped: ${name}, for ${reason}`);
  const random = new Random(seed);
  const book = new Book();
  let isOver = false;
  const context: WriterContext = {
    ...(await openContext(stage, book)),
    isOver: () => isOver,
    pause: () => sleep(random.between(20, 400)),
  };
  const instance_id = await deployAgent(context, stage);
  const writing = [...writers.map((write) => write(context)), talk(context, stage, instance_id)];
  const checks = Promise.all(writing.map((writes) => orNothing(writes, book)));
  // A service that does not recover is a finding, and ends the run.
  const faults = strikeUntil(() => isOver, stage, { book, random: new Random(seed + 1), say }).catch(
    (error: unknown) => void book.wrongAnswers.push(reasonOf(error)),
  );
  await Promise.race([sleep(seconds * 1000), faults]);
  isOver = true;
  await faults;
  await until(stage.isReady);
  say('The faults are over; the ledger is compared');
  for (const check of await checks)
    await orNothing(
      check().then(() => check),
      book,
    );
  return { book, skipped, ownEnds: stage.service.ownEnds };
}

/** A failed writer is a finding, but the others are still compared. */
async function orNothing(done: Promise<Check>, book: Book): Promise<Check> {
  try {
    return await done;
  } catch (error) {
    book.wrongAnswers.push(reasonOf(error));
    return () => Promise.resolve();
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function openContext(
  { installation, base_url, database }: Stage,
  book: Book,
): Promise<Pick<WriterContext, 'api' | 'book' | 'login' | 'tier_id' | 'region_id'>> {
  const admin = new pg.Client({ connectionString: database.urlOf('postgres', 'ledger') });
  await admin.connect();
  try {
    const place = { admin, installation, base_url };
    const { headers, login } = await createTenant(place);
    return { api: new Api(base_url, headers, book), book, login, ...(await createPlace(place)) };
  } finally {
    await admin.end();
  }
}
