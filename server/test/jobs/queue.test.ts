import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import { Notifications } from '../../src/platform/db/notifications.ts';
import type { SystemDb } from '../../src/platform/db/queryable.ts';
import { sql } from '../../src/platform/db/sql.ts';
import {
  backOff,
  type Claim,
  type ClaimedJob,
  claimJobs,
  deleteJob,
  enqueue,
  repeatJob,
  returnJobs,
} from '../../src/platform/queue/jobs.db.ts';
import { type Job, type JobKind, Queue, TryLater } from '../../src/platform/queue/queue.ts';
import { withConnection } from '../support/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MANY = 10_000;
const HOST = randomUUID();
const [BUSY, QUIET] = ['11111111-1111-4111-8111-111111111111', 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee'];
const NIL = '00000000-0000-0000-0000-000000000000';
const PATIENT = { timeout: 60_000, interval: 20 };

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const onFailure = vi.fn();
let database: TestDatabase;
let db: Database;
let notifications: Notifications;
let queues: Queue[];
/** Held jobs end when it opens. */
let gate: EventEmitter;

const fail = (error: Error) => expect.unreachable(error.message);

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database({ url: database.url, maxConnections: 4, onError: fail });
  notifications = new Notifications(database.url, ['jobs'], { lost: fail, back: () => {} });
  await notifications.start();
});
afterAll(async () => {
  await notifications.close();
  await db.close();
  await database.drop();
});

beforeEach(() => {
  queues = [];
  gate = new EventEmitter().setMaxListeners(0);
});
afterEach(async () => {
  vi.useRealTimers();
  gate.emit('open');
  await Promise.all(queues.map((queue) => queue.stop()));
  await database.query('delete from jobs');
  vi.clearAllMocks();
});

function make(kind: Partial<JobKind>, stopWithinMs = 2000, system: SystemDb = db.system): Queue {
  const slots = { total: 8, perTenant: 4, perLane: 2 };
  const whole = { kind: 'test', slots, maxPauseSeconds: 300, run: async () => undefined, ...kind };
  const queue = new Queue({ db: system, holder: HOST, notifications, log, onFailure }, [whole], {
    stopWithinMs,
  });
  queues.push(queue);
  return queue;
}

function start(...given: Parameters<typeof make>): Queue {
  const queue = make(...given);
  queue.start();
  return queue;
}

/** Records starting jobs; each ends when the gate opens. */
function held() {
  const begun: Job[] = [];
  const run = async (job: Job) => {
    begun.push(job);
    await once(gate, 'open');
    return undefined;
  };
  return { begun, run, keys: () => begun.map(({ key }) => key) };
}

const add = (key: string, lane = 'default', tenant_id = BUSY) =>
  db.tenant(tenant_id).run(enqueue({ kind: 'test', key, lane }));
/** One statement, which PostgreSQL's statistics do not include yet. */
const addMany = (count: number, lane = 'default') =>
  database.query(
    `insert into jobs (kind, key, tenant_id, lane, due_at)
     select 'test', 'many-' || n, $1, $2, now() - interval '1 minute' from generate_series(1, $3) as n`,
    [BUSY, lane, count],
  );
const claimOf = (given: Partial<Claim> = {}) =>
  claimJobs({
    holder: HOST,
    kind: 'test',
    wanted: 10,
    after: { tenant_id: NIL, lane: '' },
    perTenant: 10,
    perLane: 10,
    running: {},
    ...given,
  });
const claim = (given?: Partial<Claim>): Promise<ClaimedJob[]> => db.system.run(claimOf(given));

interface JobRow extends Record<string, unknown> {
  key: string;
  attempts: number;
  is_claimed: boolean;
  /** Seconds from now. */
  due_in: number;
}
const rows = () =>
  database.query<JobRow>(
    `select key, attempts, claim is not null as is_claimed, extract(epoch from due_at - now())::float as due_in
     from jobs order by key`,
  );
const untilGone = () => vi.waitFor(async () => expect(await rows()).toEqual([]), PATIENT);
const until = (check: () => void) => vi.waitFor(check, PATIENT);
const between = (least: number, most: number) =>
  expect.toSatisfy((number: number) => number >= least && number <= most) as number;
/** Simulates elapsed time. */
const pass = (interval: string) =>
  database.query('update jobs set run_at = run_at - $1::interval, due_at = due_at - $1::interval', [
    interval,
  ]);

describe('a job', () => {
  it('exists and runs once its transaction commits', async () => {
    const { keys, run } = held();
    start({ run });
    const failed = db.tenant(BUSY).transaction(async (tx) => {
      await tx.run(enqueue({ kind: 'test', key: 'undone' }));
      throw new Error('taken back');
    });
    await expect(failed).rejects.toThrow('taken back');
    await db.tenant(BUSY).transaction(async (tx) => {
      await tx.run(enqueue({ kind: 'test', key: 'done' }));
      expect(await claim()).toEqual([]);
    });
    await until(() => expect(keys()).toEqual(['done']));
    expect((await rows()).map(({ key }) => key)).toEqual(['done']);
  });

  it('is unique per kind and key', async () => {
    await Promise.all([add('k'), add('k'), add('k'), add('other')]);
    expect((await rows()).map(({ key }) => key)).toEqual(['k', 'other']);
  });

  it('is not claimed while a transaction that enqueues it again is open', async () => {
    await add('k');
    await db.tenant(BUSY).transaction(async (tx) => {
      await tx.run(enqueue({ kind: 'test', key: 'k' }));
      expect(await claim()).toEqual([]);
    });
    expect(await claim()).toHaveLength(1);
  });

  it('has its tenant, or none if it is the service’s own', async () => {
    const { begun, run } = held();
    start({ run });
    await add('theirs');
    await db.system.run(enqueue({ kind: 'test', key: 'ours' }));
    await until(() => expect(begun).toHaveLength(2));
    expect(Object.fromEntries(begun.map(({ key, tenant_id }) => [key, tenant_id]))).toEqual({
      theirs: BUSY,
      ours: NIL,
    });
  });

  it('is deleted when done', async () => {
    start({});
    await add('k');
    await untilGone();
  });

  it('that is enqueued while running runs once more afterwards, never concurrently', async () => {
    const { keys, run } = held();
    start({ run });
    await add('k');
    await until(() => expect(keys()).toEqual(['k']));
    await add('k');
    await add('k');
    await add('beside');
    await until(() => expect(keys()).toEqual(['k', 'beside']));
    gate.emit('open');
    await until(() => expect(keys()).toEqual(['k', 'beside', 'k']));
    gate.emit('open');
    await untilGone();
    expect(keys()).toHaveLength(3);
  });
});

/** In seconds, by the clock of one transaction. */
const pauseOf = async (job: ClaimedJob, maxSeconds: number): Promise<number> => {
  const { pause } = await db.system.run({
    failed: backOff(job, 1000, maxSeconds),
    pause: sql<{ seconds: number }>`
      select extract(epoch from due_at - now())::float as seconds from jobs where key = ${job.key}`.one(),
  });
  return pause.seconds;
};

describe('a failed job', () => {
  it('is retried forever, with pauses that double up to a limit', async () => {
    await add('k');
    const pauses: number[] = [];
    const attempts: number[] = [];
    for (let count = 0; count < 7; count++) {
      const [job = expect.unreachable()] = await claim();
      attempts.push(job.attempts);
      pauses.push(await pauseOf(job, 30));
      await pass('30 seconds');
    }
    expect(attempts).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await database.query('update jobs set attempts = 1000000');
    const [job = expect.unreachable()] = await claim();
    expect(await pauseOf(job, 300)).toBe(300);
  });

  it('is retried until it succeeds', async () => {
    const tries: number[] = [];
    start({
      run: async ({ attempts }) => {
        tries.push(attempts);
        if (attempts < 2) throw new Error('not yet');
        return undefined;
      },
    });
    await add('k');
    await untilGone();
    expect(tries).toEqual([0, 1, 2]);
    expect(log.warn).toHaveBeenCalledTimes(2);
    expect(onFailure.mock.calls).toEqual([['test'], ['test']]);
    expect(log.warn.mock.calls[1]?.[0]).toMatchObject({
      kind: 'test',
      key: 'k',
      tenant_id: BUSY,
      attempts: 1,
    });
  });

  it('keeps its pause when it is enqueued meanwhile', async () => {
    await add('k');
    const [job = expect.unreachable()] = await claim();
    await db.system.run(backOff({ ...job }, 1000, 300));
    await database.query(`update jobs set due_at = now() + interval '4 minutes', attempts = 9`);
    await add('k');
    expect(await rows()).toMatchObject([{ attempts: 9, due_in: between(120, 240) }]);
    expect(await claim()).toEqual([]);
  });

  it('keeps its pause when it was enqueued while running', async () => {
    await add('k');
    const [job = expect.unreachable()] = await claim();
    await add('k');
    await db.system.run(backOff(job, 120_000, 300));
    expect(await claim()).toEqual([]);
    expect(await rows()).toMatchObject([{ attempts: 1, is_claimed: false }]);
  });

  it('is not logged when the failure is expected', async () => {
    start({ run: () => Promise.reject(new TryLater('busy')) });
    await add('k');
    const tried = [{ attempts: between(1, 100) }];
    await vi.waitFor(async () => expect(await rows()).toMatchObject(tried), PATIENT);
    expect(log.warn).not.toHaveBeenCalled();
    expect(onFailure).not.toHaveBeenCalled();
  });
});

const inAnHour = () => new Date(Date.now() + 3_600_000);
const enqueueAt = (run_at?: Date) =>
  db.tenant(BUSY).run(enqueue({ kind: 'test', key: 'k', ...(run_at && { run_at }) }));

describe('a job for later', () => {
  it('runs at its time, or earlier when enqueued for an earlier time', async () => {
    await enqueueAt(inAnHour());
    expect(await claim()).toEqual([]);
    await pass('1 hour');
    expect(await claim()).toHaveLength(1);
    await database.query('delete from jobs');
    await enqueueAt(inAnHour());
    await enqueueAt();
    await enqueueAt(inAnHour());
    expect(await claim()).toHaveLength(1);
  });

  it('recurs at the time that its run returns', async () => {
    const next = inAnHour();
    const { keys, run } = held();
    start({
      run: async (job) => {
        await run(job);
        return next;
      },
    });
    for (const times of [1, 2]) {
      if (times === 1) await enqueueAt();
      else await pass('1 hour');
      await until(() => expect(keys()).toHaveLength(times));
      gate.emit('open');
      await vi.waitFor(
        async () =>
          expect(await rows()).toMatchObject([
            { is_claimed: false, due_in: expect.closeTo(3600, -2) as number },
          ]),
        PATIENT,
      );
    }
  });

  it('that its own run enqueues recurs, at the earlier of both times', async () => {
    await enqueueAt();
    const [job = expect.unreachable()] = await claim();
    await enqueueAt(inAnHour());
    await db.system.run(deleteJob(job), repeatJob(job));
    expect(await rows()).toMatchObject([{ is_claimed: false, due_in: expect.closeTo(3600, -2) as number }]);
  });
});

const oneOfManyForToday = async () => {
  await database.query(
    `insert into jobs (kind, key, tenant_id, lane, due_at)
     select 'test', n::text, $1, n::text, now() + interval '1 day' from generate_series(1, $2::int) n`,
    [BUSY, MANY],
  );
  await add('today', '5000');
};

const flood = async () => {
  await addMany(MANY);
  await add('quiet', 'default', QUIET);
};

describe('many jobs of one tenant', () => {
  it('do not delay another tenant’s jobs even when all hang', async () => {
    await addMany(MANY);
    await add('quiet', 'default', QUIET);
    const { keys, run } = held();
    start({ run, slots: { total: 64, perTenant: 16, perLane: 8 } });
    await until(() => expect(keys()).toContain('quiet'));
    expect(keys()).toHaveLength(9);
  });

  const RUNNING = { wanted: 8, perTenant: 8, running: { [BUSY]: 4 } };

  it('let a claim read few rows at once, even with plans for an empty table', async () => {
    await database.query('vacuum analyze jobs');
    expect(await claimAfter(flood, RUNNING)).toEqual({ claimed: 5, read: fewerThan(100) });
  });

  it('let a claim read few rows with current statistics', async () => {
    await addMany(MANY);
    await database.query('vacuum analyze jobs');
    expect(await claimAfter(() => add('quiet', 'default', QUIET), RUNNING)).toEqual({
      claimed: 5,
      read: fewerThan(100),
    });
  });

  it('that wait for a retry let a claim read few rows', async () => {
    const later = `update jobs set due_at = now() + interval '5 minutes', attempts = 9`;
    const floodThatFailed = () => flood().then(() => database.query(later));
    expect(await claimAfter(floodThatFailed, {})).toEqual({ claimed: 0, read: fewerThan(20) });
  });

  it('that are for another day, each in a lane of its own, let a claim read few rows', async () => {
    expect(await claimAfter(oneOfManyForToday, {})).toEqual({ claimed: 1, read: fewerThan(50) });
  });

  it('are polled slowly while all slots of their lane are taken', async () => {
    const asked = vi.fn();
    const { run, keys } = held();
    const runAll: SystemDb['runAll'] = (queries) => {
      asked();
      return db.system.runAll(queries);
    };
    start({ run }, undefined, Object.assign(Object.create(db.system) as SystemDb, { runAll }));
    await addMany(2);
    await until(() => expect(keys()).toHaveLength(2));
    asked.mockClear();
    const began = performance.now();
    for (let nth = 0; nth < 100; nth++) await add(`more-${nth}`);
    // Besides a claim every 50 ms: the first claim and lease renewals.
    expect(asked.mock.calls.length).toBeLessThan((performance.now() - began) / 50 + 5);
  });

  it('let other lanes of the tenant proceed', async () => {
    await addMany(100, 'a hung runtime');
    await add('sound', 'a sound runtime');
    const { keys, run } = held();
    start({ run });
    await until(() => expect(keys()).toContain('sound'));
    expect(keys()).toHaveLength(3);
  });

  it('alternate with other tenants’ jobs for each free slot', async () => {
    await addMany(20);
    for (let nth = 0; nth < 20; nth++) await add(`quiet-${nth}`, 'default', QUIET);
    const order: string[] = [];
    start({
      slots: { total: 1, perTenant: 1, perLane: 1 },
      run: async ({ tenant_id }) => {
        order.push(tenant_id);
        return undefined;
      },
    });
    await untilGone();
    expect(order).toEqual(Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? BUSY : QUIET)));
  });
});

const fewerThan = (limit: number) => expect.toSatisfy((count: number) => count < limit) as number;

/** In a session with cached plans. @returns the numbers of claimed jobs and of rows read */
const claimAfter = (change: () => Promise<unknown>, given: Partial<Claim>) =>
  withConnection(database.url, async (client) => {
    const { text, values } = claimOf(given);
    await client.query('set role acp_system');
    // PostgreSQL caches generic plans after a few calls.
    for (let calls = 0; calls < 10; calls++) await client.query(text, ['another kind', ...values.slice(1)]);
    await change();
    await client.query('begin');
    const { rowCount } = await client.query(text, [...values]);
    const { rows } = await client.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'jobs'`,
    );
    return { claimed: rowCount, read: rows[0]?.read };
  });

describe('a process that ends', () => {
  it('without notice loses its jobs to others after their lease', async () => {
    await add('k');
    expect(await claim()).toHaveLength(1);
    expect((await rows())[0]?.due_in).toBeLessThan(16);
    expect(await claim()).toEqual([]);
    const { begun, run } = held();
    start({ run });
    await pass('16 seconds');
    await until(() => expect(begun).toEqual([expect.objectContaining({ key: 'k', attempts: 1 })]));
  });

  it('without a word has them at once when it starts again, and leaves those of others alone', async () => {
    await add('mine');
    expect(await claim()).toHaveLength(1);
    await add('theirs');
    expect(await claim({ holder: randomUUID() })).toHaveLength(1);
    const { begun, run } = held();
    const queue = make({ run });
    await queue.expireOwnLeases();
    queue.start();
    await until(() => expect(begun).toEqual([expect.objectContaining({ key: 'mine', attempts: 1 })]));
    expect((await rows()).find(({ key }) => key === 'theirs')?.due_in).toBeGreaterThan(0);
  });

  it('leaves a job that it gave back, and another copy has now, to that one', async () => {
    await add('k');
    const [job = expect.unreachable()] = await claim();
    await db.system.run(returnJobs('test', [job]));
    // A copy of an earlier version notes no host.
    await database.query(`update jobs set claim = gen_random_uuid(), due_at = now() + interval '15 seconds'`);
    await make({}).expireOwnLeases();
    expect((await rows())[0]?.due_in).toBeGreaterThan(0);
  });

  it('is asked by copies of before the holders, too', async () => {
    await add('k');
    const lane = ['00000000-0000-0000-0000-000000000000', ''];
    const former = `select key from claim_jobs('test', 1, interval '15 seconds', $1, $2, 1, 1, '{}')`;
    expect(await database.query(former, lane)).toEqual([{ key: 'k' }]);
  });

  it('in order begins nothing that rests while it drains, and lets what is under way end', async () => {
    const { keys, run } = held();
    const signals: AbortSignal[] = [];
    const resting = start({
      restsWhileDraining: true,
      run: (job, _, draining) => {
        signals.push(draining);
        return run(job);
      },
    });
    await add('k');
    await until(() => expect(keys()).toEqual(['k']));
    resting.drain();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await add('later');
    gate.emit('open');
    await vi.waitFor(async () => expect((await rows()).map(({ key }) => key)).toEqual(['later']), PATIENT);
    expect(keys()).toEqual(['k']);
    const other = held();
    start({ run: other.run });
    await until(() => expect(other.keys()).toEqual(['later']));
  });

  it('in order waits longer for kinds that say so, and has others end before', async () => {
    const { keys, run } = held();
    const slots = { total: 8, perTenant: 4, perLane: 2 };
    const kind = (name: string, more: Partial<JobKind> = {}) => ({
      kind: name,
      slots,
      maxPauseSeconds: 300,
      run,
      ...more,
    });
    const kinds = [kind('test'), kind('long', { finishesWithinMs: 60_000 })];
    const given = { db: db.system, holder: HOST, notifications, log, onFailure };
    const queue = new Queue(given, kinds, { stopWithinMs: 1 });
    queues.push(queue);
    queue.start();
    await add('short');
    await db.tenant(BUSY).run(enqueue({ kind: 'long', key: 'long' }));
    await until(() => expect(keys().toSorted()).toEqual(['long', 'short']));
    const stopped = queue.stop(async () => {
      // The queue waits a second at most until a job is returned.
      const returned = [
        { key: 'long', is_claimed: true },
        { key: 'short', is_claimed: false },
      ];
      await vi.waitFor(async () => expect(await rows()).toMatchObject(returned), PATIENT);
      gate.emit('open');
    });
    await stopped;
    expect((await rows()).map(({ key }) => key)).toEqual(['short']);
  });

  it('gracefully returns jobs that do not end in time', async () => {
    const { keys, run } = held();
    const queue = start({ run: async (job) => (job.key === 'fast' ? undefined : run(job)) }, 1);
    await add('slow');
    await until(() => expect(keys()).toEqual(['slow']));
    await queue.stop();
    const returned = [{ key: 'slow', attempts: 0, is_claimed: false }];
    await vi.waitFor(async () => expect(await rows()).toMatchObject(returned), PATIENT);
    const other = held();
    start({ run: other.run });
    await until(() => expect(other.keys()).toEqual(['slow']));
    gate.emit('open');
    await untilGone();
  });

  it('waits for jobs that end in time', async () => {
    const { keys, run } = held();
    const queue = start({ run }, 60_000);
    await add('k');
    await until(() => expect(keys()).toEqual(['k']));
    const stopped = queue.stop();
    await add('later');
    gate.emit('open');
    await stopped;
    expect((await rows()).map(({ key }) => key)).toEqual(['later']);
  });
});

/** A third of the lease, by the process's clock. */
const renew = () => vi.advanceTimersByTime(5000);

describe('a lease', () => {
  it('is renewed while its job runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const { keys, run } = held();
    start({ run });
    await add('k');
    await until(() => expect(keys()).toEqual(['k']));
    await pass('10 seconds');
    renew();
    await vi.waitFor(async () => expect((await rows())[0]?.due_in).toBeGreaterThan(10), PATIENT);
  });

  it('that is lost aborts the run, which leaves the job unchanged', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    let signal: AbortSignal | undefined;
    const ended = new EventEmitter();
    const end = once(ended, 'end');
    start({
      run: async (_, given) => {
        signal = given;
        await once(given, 'abort');
        ended.emit('end');
        return undefined;
      },
    });
    await add('k');
    await until(() => expect(signal).toBeDefined());
    await database.query('update jobs set claim = $1', [randomUUID()]);
    renew();
    await end;
    await Promise.all(queues.map((queue) => queue.stop()));
    expect(await rows()).toMatchObject([{ is_claimed: true, attempts: 0 }]);
  });
});

it('goes on after the database’s clock was set back, when earlier times are in the future', async () => {
  for (const key of ['crashed', 'paused', 'waiting']) await add(key);
  await db.tenant(BUSY).run(enqueue({ kind: 'test', key: 'later', run_at: inAnHour() }));
  await database.query(
    `update jobs set due_at = now() + interval '3 hours', attempts = case key when 'paused' then 3 else 0 end,
       claim = case key when 'crashed' then gen_random_uuid() end
     where key <> 'later'`,
  );
  const { keys, run } = held();
  start({ run, slots: { total: 8, perTenant: 8, perLane: 8 } });
  await until(() => expect(keys().toSorted()).toEqual(['paused', 'waiting']));
  await vi.waitFor(
    async () => expect((await rows()).find(({ key }) => key === 'crashed')?.due_in).toBeLessThan(16),
    PATIENT,
  );
  await database.query(`update jobs set due_at = now() where key = 'crashed'`);
  await until(() => expect(keys()).toContain('crashed'));
  expect(keys()).not.toContain('later');
});

it('runs each job once with several processes', async () => {
  await addMany(200);
  const ran: string[][] = [[], []];
  const slots = { total: 4, perTenant: 4, perLane: 4 };
  for (const mine of ran) {
    start({
      slots,
      run: async ({ key }) => {
        mine.push(key);
        await until(() => expect(ran.every((theirs) => theirs.length > 0)).toBe(true));
        return undefined;
      },
    });
  }
  await untilGone();
  expect(ran.flat().toSorted()).toEqual([...new Set(ran.flat())].toSorted());
  expect(ran.flat()).toHaveLength(200);
});

it('reports once a minute that the database takes no writes, though reads succeed in between', async () => {
  let isAway = true;
  const asked = vi.fn();
  const system = new Proxy(db.system, {
    get: (target, name: keyof SystemDb) =>
      name === 'runAll'
        ? (...given: Parameters<SystemDb['runAll']>) => {
            asked();
            isAway = !isAway;
            return isAway ? Promise.reject(new Error('read-only')) : target.runAll(...given);
          }
        : target[name],
  });
  start({}, 2000, system);
  for (let count = 0; count < 6; count++) await add(`k${count}`);
  await until(() => expect(asked.mock.calls.length).toBeGreaterThan(10));
  expect(log.error).toHaveBeenCalledTimes(1);
});

it('reports a database outage once and recovers', async () => {
  const { keys, run } = held();
  start({ run });
  await add('before');
  await until(() => expect(keys()).toEqual(['before']));
  await database.query('alter table jobs rename to jobs_away');
  await until(() => expect(log.error).toHaveBeenCalledTimes(1));
  gate.emit('open');
  await database.query('alter table jobs_away rename to jobs');
  await add('after');
  await until(() => expect(keys()).toContain('after'));
  expect(log.error).toHaveBeenCalledTimes(1);
});
