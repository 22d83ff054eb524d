import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  expectTypeOf,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { isForeignKeyViolation, isUniqueViolation } from '../../src/platform/db/constraint-errors.ts';
import { Database } from '../../src/platform/db/database.ts';
import { systemScope, tenantScope } from '../../src/platform/db/queryable.ts';
import { json, NOW, type RowsQuery, sql } from '../../src/platform/db/sql.ts';
import { DatabaseUnreachable } from '../../src/platform/db/unreachable.ts';
import { openTransaction } from '../support/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { SilentProxy } from '../support/silent-proxy.ts';

let database: TestDatabase;
let db: Database;
let tenant_id: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// A kind of call has two of four connections, so that what one leaves behind meets the next.
beforeEach(async () => {
  db = new Database({ url: database.url, maxConnections: 4, onError: () => {} });
  tenant_id = await createTenant();
});
afterEach(() => db.close());

async function createTenant(): Promise<string> {
  const id = randomUUID();
  await database.query(`insert into tenants (id, name, wrapped_key) values ($1, 'T', '')`, [id]);
  return id;
}

const slugs = async (of = tenant_id) => {
  const rows = await database.query<{ slug: string }>(
    'select slug from primitives where tenant_id = $1 order by slug',
    [of],
  );
  return rows.map(({ slug }) => slug);
};
const insert = (slug: string, of = tenant_id) =>
  sql`insert into primitives (tenant_id, kind, slug) values (${of}, 'skill', ${slug})`;
const who = () =>
  sql<{ role: string; tenant: string }>`
    select current_user::text as role, coalesce(current_setting('app.tenant_id', true), '') as tenant`;
const transactionId = () => sql<{ id: string }>`select pg_current_xact_id()::text as id`;
const fails = () => sql`select 1 / 0`;

const counted = new AsyncLocalStorage<true>();

/** Services of other files in this process also send statements, so only those that `work` causes count. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  let trips = 0;
  const sync = serialize.sync.bind(serialize);
  const spy = vi.spyOn(serialize, 'sync').mockImplementation(() => {
    if (counted.getStore()) trips++;
    return sync();
  });
  try {
    await counted.run(true, work);
    return trips;
  } finally {
    spy.mockRestore();
  }
}

/** The connections to this file's database that are opened from now on: services of other files open theirs meanwhile. */
function watchConnections() {
  const spy = vi.spyOn(pg.Client.prototype, 'connect');
  const opened = () =>
    (spy.mock.contexts as unknown as pg.Client[]).filter((client) => client.database === databaseName());
  return { opened, end: () => spy.mockRestore() };
}
const databaseName = () => new URL(database.url).pathname.slice(1);

/** No other timer has this limit, in ms. */
const LIMIT_MS = 3_599_999;

/** Limits of LIMIT_MS pass when the test says so, not when a busy machine is slow. */
function watchLimits() {
  const spy = vi.spyOn(globalThis, 'setTimeout');
  const pass = () => {
    for (const [run, ms] of spy.mock.calls) if (ms === LIMIT_MS) run();
  };
  return { pass, end: () => spy.mockRestore() };
}

const prepared = () => sql<{ n: number }>`
    select count(*)::int as n from pg_prepared_statements where statement like '%pg_prepared_statements%'`;

const now = () => sql<{ now: Date }>`select ${NOW}::timestamptz as now`.one();

describe('queries that are run together', () => {
  it('are one round trip and one transaction, with results in order', async () => {
    const q = db.tenant(tenant_id);
    const ids: string[] = [];
    const trips = await roundTrips(async () => {
      const results = await q.run(transactionId().one(), transactionId().one(), transactionId().one());
      ids.push(...results.map(({ id }) => id));
    });
    expect(trips).toBe(1);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(await q.run(sql`select 1 as n`, sql`select 2 as n`)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  it('return results by name, in the order of names', async () => {
    const q = db.tenant(tenant_id);
    const trips = await roundTrips(async () => {
      const { none, id, one } = await q.run({
        none: sql<{ n: number }>`select count(*)::int as n from primitives`.one(),
        id: transactionId().one(),
        inserted: insert('a'),
        one: sql<{ n: number; id: string }>`
          select count(*)::int as n, pg_current_xact_id()::text as id from primitives`.one(),
      });
      expectTypeOf(none).toEqualTypeOf<{ n: number }>();
      expect([none, one]).toEqual([{ n: 0 }, { n: 1, ...id }]);
    });
    expect(trips).toBe(1);
    await expect(q.run({ b: insert('b'), failed: fails() })).rejects.toMatchObject({ code: '22012' });
    expect(await slugs()).toEqual(['a']);
  });

  it('are separate transactions when run separately in one tick', async () => {
    const q = db.tenant(tenant_id);
    const results = await Promise.allSettled([q.run(insert('a')), q.run(fails()), q.run(insert('b'))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await slugs()).toEqual(['a', 'b']);
  });

  it('are no round trip when there are none', async () => {
    expect(await roundTrips(() => db.tenant(tenant_id).runAll([]))).toBe(0);
  });

  it('are all undone when one fails', async () => {
    const q = db.tenant(tenant_id);
    await expect(q.run(insert('a'), fails(), insert('b'))).rejects.toMatchObject({ code: '22012' });
    expect(await slugs()).toEqual([]);
  });

  it('stop at a failed check with the error of a rule', async () => {
    const q = db.tenant(tenant_id);
    const missing = sql`select must_exist(exists (select from primitives where slug = 'none'), 'Primitive')`;
    await expect(q.run(missing, insert('a'))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Primitive not found',
    });
    await expect(q.run(insert('a'), missing)).rejects.toMatchObject({ code: 'not_found' });
    const held = sql`select must_hold(null, 'It does not hold')`;
    await expect(q.run(held, insert('a'))).rejects.toMatchObject({
      code: 'conflict',
      message: 'It does not hold',
    });
    const allowed = sql`select must_be_allowed(false, 'It is not allowed')`;
    await expect(q.run(allowed, insert('a'))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'It is not allowed',
    });
    const inTransaction = q.transaction((tx) => tx.run(insert('a'), missing));
    await expect(inTransaction).rejects.toMatchObject({ code: 'not_found' });
    expect(await slugs()).toEqual([]);
    await q.run(sql`select must_exist(true, 'Primitive')`, insert('a'));
    expect(await slugs()).toEqual(['a']);
  });

  it('have the time of their call as NOW, and one time in a transaction', async () => {
    let ms = 0;
    const clock = () => new Date(++ms);
    const timed = new Database({ url: database.url, maxConnections: 1, onError: () => {}, clock });
    try {
      const q = timed.tenant(tenant_id);
      const [first, second] = await q.run(now(), now());
      expect(first.now).toEqual(second.now);
      expect((await q.run(now())).now.getTime()).toBeGreaterThan(first.now.getTime());
      const times = await q.transaction(async (tx) => [
        (await tx.run(now())).now,
        (await tx.run(now())).now,
        tx.now,
      ]);
      expect(new Set(times.map(Number)).size).toBe(1);
    } finally {
      await timed.close();
    }
  });

  it('leave the connection usable when they fail', async () => {
    const q = db.tenant(tenant_id);
    for (let i = 0; i < 10; i++) {
      await expect(q.run(fails())).rejects.toMatchObject({ code: '22012' });
      await expect(q.run(sql`select * from no_such_table`)).rejects.toMatchObject({ code: '42P01' });
      expect(await q.run(sql`select ${i}::int as i`)).toEqual([{ i }]);
    }
    expect(db.load.open).toBeLessThanOrEqual(2);
  });

  it('with an unserialisable parameter are refused before sending', async () => {
    const q = db.tenant(tenant_id);
    const write = sql`insert into primitives (tenant_id, kind, slug) values (${tenant_id}, 'skill', ${{ a: 1 }})`;
    await expect(q.run(insert('before'), write)).rejects.toThrow('json()');
    expect(await slugs()).toEqual([]);
    expect(await q.run(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  });

  it('prepare a statement once per connection', async () => {
    const q = db.tenant(tenant_id);
    const parse = vi.spyOn(serialize, 'parse');
    for (let i = 0; i < 5; i++) expect(await q.run(prepared())).toEqual([{ n: 1 }]);
    const texts = parse.mock.calls.map(([{ text }]) => text);
    expect(texts.filter((text) => text.includes('pg_prepared_statements'))).toHaveLength(1);
    parse.mockRestore();
  });

  it('survive changed columns of a table under a prepared statement', async () => {
    await database.query(`create table changing (a int); grant select on changing to acp_tenant`);
    const q = db.tenant(tenant_id);
    const read = () => q.run(sql`select * from changing`);
    await read();
    await database.query(`alter table changing add column b int`);
    expect(await read()).toEqual([]);
  });
});

describe('a scope', () => {
  it('sets role and tenant of its statements', async () => {
    expect(await db.tenant(tenant_id).run(who())).toEqual([{ role: 'acp_tenant', tenant: tenant_id }]);
    expect(await db.system.run(who())).toEqual([{ role: 'acp_system', tenant: '' }]);
  });

  it('ends with them: the connection returns to a role without rights', async () => {
    const q = db.tenant(tenant_id);
    const tenant = tenantScope(tenant_id);
    const uses = [
      () => q.run(who()),
      () => q.run(fails()),
      () => db.transaction(tenant, (tx) => tx.run(who())),
      () => db.transaction(tenant, (tx) => tx.run(fails())),
      () => db.transaction(tenant, async () => undefined),
    ];
    const connections = watchConnections();
    try {
      for (const use of uses) {
        await use().catch(() => undefined);
        for (const client of connections.opened()) {
          const { rows } = await client.query<object>(who().text);
          expect([String(use), ...rows]).toEqual([String(use), { role: 'acp_service', tenant: '' }]);
        }
      }
      expect(connections.opened()).toHaveLength(1);
    } finally {
      connections.end();
    }
  });

  it('reports lost connections until it is closed', async () => {
    const connections = watchConnections();
    const onError = vi.fn();
    const other = new Database({ url: database.url, maxConnections: 1, onError });
    try {
      await other.system.run(who());
      const clients = connections.opened();
      const lose = () => clients.map((client) => client.emit('error', new Error('lost')));
      lose();
      expect(onError).toHaveBeenCalledTimes(1);
      // The pool does not wait until the server has let them go, so a server that stops at once ends them itself.
      await other.close();
      lose();
      expect(onError).toHaveBeenCalledTimes(1);
    } finally {
      connections.end();
    }
  });

  it('keeps 500 reads at once apart', async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, createTenant));
    for (const of of tenants) await db.tenant(of).run(insert(`of ${of}`, of));
    const reads = Array.from(
      { length: 500 },
      (_, index) => tenants[(index * 7) % 20] ?? expect.unreachable(),
    );
    const answers = await Promise.all(
      reads.map((of) => db.tenant(of).run(sql<{ slug: string }>`select slug from primitives`)),
    );
    const wrong = answers.filter(
      ([row, ...more], index) => row?.slug !== `of ${reads[index]}` || more.length > 0,
    );
    expect(wrong).toEqual([]);
  });

  it('neither shows nor accepts rows of another tenant', async () => {
    const other = await createTenant();
    await db.tenant(other).run(insert('theirs', other));
    const q = db.tenant(tenant_id);
    expect(await q.run(sql`select 1 from primitives where tenant_id = ${other}`)).toEqual([]);
    expect(
      await q.run(sql`update primitives set slug = 'x' where tenant_id = ${other} returning id`),
    ).toEqual([]);
    expect(await q.run(sql`delete from primitives where tenant_id = ${other} returning id`)).toEqual([]);
    await expect(q.run(insert('smuggled', other))).rejects.toThrow('row-level security');
    await q.run(insert('mine'));
    await expect(q.run(sql`update primitives set tenant_id = ${other}`)).rejects.toThrow(
      'row-level security',
    );
    expect(await slugs(other)).toEqual(['theirs']);
  });

  it('without a tenant sees no row', async () => {
    await db.tenant(tenant_id).run(insert('mine'));
    expect(await db.tenant('').run(sql`select 1 from primitives`)).toEqual([]);
    await expect(db.tenant(`' or true --`).run(sql`select 1 from primitives`)).rejects.toMatchObject({
      code: '22P02',
    });
  });
});

describe('a transaction', () => {
  it('commits its changes', async () => {
    const result = await db.transaction(tenantScope(tenant_id), async (tx) => {
      await tx.run(insert('a'));
      await tx.run(insert('b'));
      return 'done';
    });
    expect(result).toBe('done');
    expect(await slugs()).toEqual(['a', 'b']);
  });

  it('rolls back when its work throws', async () => {
    const work = db.transaction(tenantScope(tenant_id), async (tx) => {
      await tx.run(insert('a'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await slugs()).toEqual([]);
  });

  it('rejects after a swallowed failure, without changes', async () => {
    const work = db.transaction(tenantScope(tenant_id), async (tx) => {
      await tx.run(insert('a'));
      await tx.run(fails()).catch(() => undefined);
      return 'as if nothing had happened';
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await slugs()).toEqual([]);
  });

  it('rejects after a swallowed parameter failure', async () => {
    const work = db.transaction(tenantScope(tenant_id), async (tx) => {
      await tx.run(sql`select ${{}}`).catch(() => undefined);
      return tx.run(insert('a'));
    });
    await expect(work).rejects.toThrow();
    expect(await slugs()).toEqual([]);
  });

  it('sends nothing when it does nothing', async () => {
    expect(await roundTrips(() => db.transaction(systemScope, async () => 1))).toBe(0);
  });

  it('can change its scope', async () => {
    const other = await createTenant();
    const ids = await db.transaction(tenantScope(tenant_id), async (tx) => {
      const [before] = await tx.run(transactionId());
      await tx.run(insert('mine'));
      tx.enter(tenantScope(other));
      expect(await tx.run(who())).toEqual([{ role: 'acp_tenant', tenant: other }]);
      await tx.run(insert('theirs', other));
      const [after] = await tx.run(who());
      expect(after?.tenant).toBe(other);
      const [now] = await tx.run(transactionId());
      return [before?.id, now?.id];
    });
    expect(ids[0]).toBe(ids[1]);
    expect([await slugs(), await slugs(other)]).toEqual([['mine'], ['theirs']]);
  });

  it('returns its connection whatever its outcome, 50 times', async () => {
    const work = Array.from({ length: 50 }, (_, index) =>
      db
        .transaction(tenantScope(tenant_id), async (tx) => {
          await tx.run(insert(`n${index}`));
          if (index % 2 === 0) await tx.run(fails());
        })
        .catch(() => 'failed'),
    );
    expect((await Promise.all(work)).filter((result) => result === 'failed')).toHaveLength(25);
    expect(await slugs()).toHaveLength(25);
    expect(db.load).toEqual({ open: 2, waiting: 0 });
  });

  it('survives a connection that the server ended', async () => {
    const [row] = await db.system.run(sql<{ pid: number }>`select pg_backend_pid() as pid`);
    await database.query('select pg_terminate_backend($1)', [row?.pid]);
    await vi.waitFor(async () => expect(await db.system.run(sql`select 1 as n`)).toEqual([{ n: 1 }]), {
      timeout: 60_000,
      interval: 20,
    });
  });

  it('rejects when its connection is lost, and the pool goes on', async () => {
    const work = db.transaction(tenantScope(tenant_id), async (tx) => {
      const [row] = await tx.run(sql<{ pid: number }>`select pg_backend_pid() as pid`);
      await tx.run(insert('lost'));
      await database.query('select pg_terminate_backend($1)', [row?.pid]);
      await tx.run(who());
    });
    await expect(work).rejects.toThrow();
    expect(await slugs()).toEqual([]);
    expect(await db.system.run(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  });
});

const pid = () => db.system.run(sql<{ pid: number }>`select pg_backend_pid() as pid`);
const write = () =>
  db.system.run(sql<{ pid: number }>`
    update tenants set name = name where id = ${tenant_id} returning pg_backend_pid() as pid`);
const atOnce = async (count: number, ask: typeof pid) =>
  (await Promise.all(Array.from({ length: count }, ask))).map(([row]) => row?.pid);
const last = (index: number) => sql`select ${index}::int as i`;

const divideOne = (by: number) => db.system.run(sql`select 1 / ${by}::int as n`);
const byZeroAndOne = () => Promise.allSettled([divideOne(0), divideOne(1)]);
const look = (slug: string) => db.tenant(tenant_id).run(sql<{ id: string }>`select look(${slug}) as id`);

/** The gate may stay closed for longer than the lock_timeout of sessions. */
const PATIENT = sql`select set_config('lock_timeout', '0', true)`;
/** Waits at the gate of `closedGate`. Not by "select": what may write shares no transaction. */
const passGate = () => sql`values (pg_advisory_xact_lock_shared(1))`;
const closedGate = () => openTransaction(database.url, ['select pg_advisory_xact_lock(1)', []]);
const waitingAtGate = (count: number) =>
  vi.waitFor(
    async () => {
      const text = `select from pg_locks where locktype = 'advisory' and not granted`;
      expect(await database.query(text)).toHaveLength(count);
    },
    { timeout: 60_000, interval: 20 },
  );

describe('connections of a pool', () => {
  const count = 200;
  const many = <T>(call: (index: number) => Promise<T>) =>
    Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));

  it('return each caller’s own result among failures', async () => {
    const answers = await many(async (index) => {
      const q = db.tenant(tenant_id);
      if (index % 3 === 0) return q.run(sql`select ${index}::int as i, 1 / 0 as n`);
      if (index % 7 === 0) return q.run(sql`select ${{ index }}::text as i`);
      return q.run(sql`select ${index}::int as i`);
    });
    for (const [index, answer] of answers.entries()) {
      if (index % 3 === 0) expect(answer).toMatchObject({ reason: { code: '22012' } });
      else if (index % 7 === 0) expect(answer).toMatchObject({ reason: { message: /json\(\)/ } });
      else expect(answer).toEqual({ status: 'fulfilled', value: [{ i: index }] });
    }
  });

  it('prepare a statement again after an earlier failure prevented it', async () => {
    const answers = await many((index) => {
      const q = db.tenant(tenant_id);
      // Fails before the statement is prepared, which others have sent meanwhile.
      return q.runAll(index === 0 ? [fails(), last(index)] : [last(index)]);
    });
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(answers.at(-1)).toEqual({ status: 'fulfilled', value: [[{ i: count - 1 }]] });
  });

  it('keep each call atomic, and a failure undoes only its own', async () => {
    await many((index) => {
      const q = db.tenant(tenant_id);
      const writes = [insert(`a${index}`), insert(`b${index}`)];
      return q.runAll(index % 4 === 0 ? [...writes, fails()] : writes);
    });
    const kept = Array.from({ length: count }, (_, index) => index).filter((index) => index % 4 !== 0);
    expect(await slugs()).toEqual(kept.flatMap((index) => [`a${index}`, `b${index}`]).toSorted());
  });

  it('fail one caller when they are lost, and are opened anew', async () => {
    const gate = await closedGate();
    const answers = many(() => db.system.run(PATIENT, passGate()));
    const stuck = `select pg_terminate_backend(pid, 20000) as ended from pg_locks
                   where locktype = 'advisory' and not granted limit 1`;
    await vi.waitFor(async () => expect(await database.query(stuck)).toEqual([{ ended: true }]), {
      timeout: 60_000,
      interval: 20,
    });
    await gate.end('commit');
    expect((await answers).filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await db.system.run(sql`select 1 as n`)).toEqual([{ n: 1 }]);
    expect(db.load).toMatchObject({ waiting: 0 });
  });

  it('are left to others by calls that wait for a lock', async () => {
    const wide = new Database({ url: database.url, maxConnections: 10, onError: () => {} });
    const [mine, other] = [wide.tenant(tenant_id), wide.tenant(await createTenant())];
    const gate = await closedGate();
    const ways = [
      () => mine.run(PATIENT, passGate()),
      () => mine.run(PATIENT, sql`values (1, pg_advisory_xact_lock_shared(1))`),
      () => mine.transaction((tx) => tx.run(PATIENT, passGate())),
    ];
    const stuck = Promise.all(ways.flatMap((way) => Array.from({ length: 20 }, way)));
    // One kind of call has three of ten connections, and one tenant six.
    await waitingAtGate(6);
    for (const q of [other, wide.system]) expect(await q.run(sql`select 1 as n`)).toEqual([{ n: 1 }]);
    expect(wide.load.waiting).toBe(54);
    await gate.end('commit');
    await stuck;
    await wide.close();
  });

  it('are left to other calls of the tenant by those of one kind that wait for a lock', async () => {
    const wide = new Database({ url: database.url, maxConnections: 10, onError: () => {} });
    const q = wide.tenant(tenant_id);
    const gate = await closedGate();
    const stuck = Promise.all(Array.from({ length: 20 }, () => q.run(PATIENT, passGate())));
    await waitingAtGate(3);
    await q.run(insert('beside them'));
    expect(await q.transaction((tx) => tx.run(sql`select 1 as n`))).toEqual([{ n: 1 }]);
    await gate.end('commit');
    await stuck;
    await wide.close();
  });

  it('are left to statements by transactions, because work in one may wait for a statement', async () => {
    const wide = new Database({ url: database.url, maxConnections: 5, onError: () => {} });
    const tenants = await Promise.all(Array.from({ length: 10 }, createTenant));
    const both = tenants.map((of) =>
      wide.tenant(of).transaction(async (tx) => {
        await tx.run(insert('a', of));
        return wide.tenant(of).run(sql`select 1 as n`);
      }),
    );
    expect(await Promise.all(both)).toEqual(tenants.map(() => [{ n: 1 }]));
    await wide.close();
  });

  it('are closed when nobody has used them for a while', async () => {
    const short = new Database({
      url: database.url,
      maxConnections: 4,
      onError: () => {},
      answerWithinMs: LIMIT_MS,
    });
    const limits = watchLimits();
    try {
      await Promise.all([short.system.run(who()), short.tenant(tenant_id).run(insert('a'))]);
      expect(short.load.open).toBeGreaterThan(0);
      // One may still be opening.
      const isClosed = () => {
        limits.pass();
        expect(short.load.open).toBe(0);
      };
      await vi.waitFor(isClosed, { timeout: 60_000, interval: 20 });
      expect(await short.system.run(who())).toEqual([{ role: 'acp_system', tenant: '' }]);
    } finally {
      limits.end();
      await short.close();
    }
  });

  it('run reads of one statement that come together in one transaction, sixteen at a time', async () => {
    const reads: (number | undefined)[] = [];
    expect(await roundTrips(async () => reads.push(...(await atOnce(20, pid))))).toBe(2);
    expect(new Set(reads.slice(0, 16)).size).toBe(1);
    expect(new Set(reads.slice(16)).size).toBe(1);
  });

  it('run reads by themselves that have failed together, for a while', async () => {
    const expected = [
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'fulfilled', value: [{ n: 1 }] },
    ];
    expect(await roundTrips(async () => expect(await byZeroAndOne()).toMatchObject(expected))).toBe(3);
    expect(await roundTrips(async () => expect(await byZeroAndOne()).toMatchObject(expected))).toBe(2);
  });

  it('send each write individually', async () => {
    expect(await roundTrips(() => atOnce(20, write))).toBe(20);
  });

  it('isolate tenants that read in the same round trip', async () => {
    const others = await Promise.all([createTenant(), createTenant()]);
    for (const of of others) await db.tenant(of).run(insert(of, of));
    const q = [...others, tenant_id, ''].map((of) => db.tenant(of));
    const reads = () =>
      Promise.all(q.map((of) => of.run(sql<{ slug: string }>`select slug from primitives`)));
    let seen: { slug: string }[][] = [];
    expect(await roundTrips(async () => (seen = await reads()))).toBe(1);
    expect(seen).toEqual([...others.map((slug) => [{ slug }]), [], []]);
    expect(await db.system.run(who())).toEqual([{ role: 'acp_system', tenant: '' }]);
  });

  it('run a write that looks like a read once, in its own transaction', async () => {
    await database.query(`
      create function look(new_slug text) returns text language plpgsql as $$
      begin
        insert into primitives (tenant_id, kind, slug) values (current_tenant(), 'skill', new_slug);
        return pg_current_xact_id()::text;
      end $$`);
    const [[one], [other]] = await Promise.all([look('a'), look('b')]);
    expect(one?.id).toMatch(/^\d+$/);
    expect(other?.id).not.toBe(one?.id);
    expect(await slugs()).toEqual(['a', 'b']);
  });

  it('continue with the existing connections when the server refuses more', async () => {
    const login = `acp_test_${randomUUID()}`;
    await database.query(`create role "${login}" login password 'secret' connection limit 2`);
    await database.query(`grant acp_service, acp_tenant, acp_system to "${login}"`);
    const url = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
    const few = new Database({ url, maxConnections: 10, onError: () => {} });
    await few.tenant(tenant_id).run(insert('first'));
    expect([few.refusals, few.isBusy]).toEqual([0, false]);
    const answering = many((index) => few.tenant(tenant_id).run(insert(`${index}`)));
    // Busy only for some seconds after a refusal.
    await expect.poll(() => few.refusals > 0 && few.isBusy, { interval: 5 }).toBe(true);
    const answers = await answering;
    await few.close();
    await database.query(`drop role "${login}"`);
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await slugs()).toHaveLength(count + 1);
  });

  it('wait for an opening connection after the server refused others', async () => {
    const login = `acp_test_${randomUUID()}`;
    await database.query(`create role "${login}" login password 'secret' connection limit 1`);
    await database.query(`grant acp_service, acp_tenant, acp_system to "${login}"`);
    const url = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
    const holder = new pg.Client(url);
    await holder.connect();
    const few = new Database({ url, maxConnections: 10, onError: () => {} });
    const prototype = pg.Client.prototype as { connect(): Promise<unknown> };
    const original = Reflect.get(prototype, 'connect');
    let isFirst = true;
    const connects = vi.spyOn(prototype, 'connect').mockImplementation(async function (this: pg.Client) {
      if (this.user === login && isFirst) {
        isFirst = false;
        await vi.waitFor(() => expect(few.refusals).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
        await holder.end();
        const sessions = `select from pg_stat_activity where usename = '${login}'`;
        await expect.poll(() => database.query(sessions)).toEqual([]);
      }
      return original.call(this);
    });
    const answers = await many((index) => few.tenant(tenant_id).run(insert(`${index}`)));
    connects.mockRestore();
    await few.close();
    await database.query(`drop role "${login}"`);
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await slugs()).toHaveLength(count);
  });

  it('refuse work after closing', async () => {
    await db.close();
    await expect(db.system.run(sql`select 1`)).rejects.toThrow('closed');
    db = new Database({ url: database.url, maxConnections: 4, onError: () => {} });
  });
});

const one = async <T>(statement: RowsQuery<{ value: T }>) => {
  const [row] = await db.system.run(statement);
  return row?.value;
};

describe('parameters and columns', () => {
  it.each([
    [[]],
    [['a']],
    [['a,b', '{c}', '"quoted"', 'back\\slash', '', ' ', 'NULL', 'null', "it's", 'tab\t\n', '😀']],
    [['a', null]],
  ])('text[] %j', async (value) => {
    expect(await one(sql`select ${value}::text[] as value`)).toEqual(value);
  });

  it('int[], uuid[] and timestamptz[]', async () => {
    const [ids, dates] = [
      [randomUUID(), randomUUID()],
      [new Date(0), new Date('2026-01-31T09:30:00.123Z')],
    ];
    expect(await one(sql`select ${[1, -2, 3]}::int[] as value`)).toEqual([1, -2, 3]);
    expect(await one(sql`select ${ids}::uuid[] as value`)).toEqual(ids);
    expect(await one(sql`select ${dates}::timestamptz[] as value`)).toEqual(dates);
  });

  it('bytea, alone and in an array', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(await one(sql`select ${bytes}::bytea as value`)).toEqual(bytes);
    expect(await one(sql`select ${Buffer.alloc(0)}::bytea as value`)).toEqual(Buffer.alloc(0));
    expect(await one(sql`select ${[bytes, Buffer.from('b')]}::bytea[] as value`)).toEqual([
      bytes,
      Buffer.from('b'),
    ]);
  });

  it('timestamptz is a Date with milliseconds; date is the same day', async () => {
    for (const at of ['2026-01-31T09:30:00.123Z', '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      expect(await one(sql`select ${new Date(at)}::timestamptz as value`)).toEqual(new Date(at));
    }
    expect(await one(sql`select ${'2026-03-29'}::date as value`)).toBe('2026-03-29');
  });

  it('jsonb, arrays and strings too', async () => {
    for (const value of [{ a: [1, { b: null }] }, [], ['x', { y: 1 }], 'text', 7, false, {}]) {
      expect(await one(sql`select ${json(value)}::jsonb as value`)).toEqual(value);
    }
    expect(await one(sql`select ${json(undefined)}::jsonb as value`)).toBeNull();
  });

  it('numbers: bigint is a number, numeric stays exact text', async () => {
    expect(await one(sql`select ${2 ** 52}::bigint as value`)).toBe(2 ** 52);
    expect(await one(sql`select ${'0.10'}::numeric as value`)).toBe('0.10');
    expect(await one(sql`select ${1.5}::float8 as value`)).toBe(1.5);
    expect(await one(sql`select ${true} as value`)).toBeDefined();
    expect(await one(sql`select ${null}::int as value`)).toBeNull();
  });

  it('never interpret a parameter as SQL', async () => {
    const value = `'; drop table tenants; --`;
    expect(await one(sql`select ${value}::text as value`)).toBe(value);
    expect(await one(sql`select ${[value]}::text[] as value`)).toEqual([value]);
  });
});

it('names the constraint that refused a row', async () => {
  const q = db.tenant(tenant_id);
  await q.run(insert('a'));
  const twice = await q.run(insert('a')).catch((error: unknown) => error);
  expect([isUniqueViolation(twice), isUniqueViolation(twice, 'primitives_slug')]).toEqual([true, true]);
  expect([isUniqueViolation(twice, 'other'), isForeignKeyViolation(twice)]).toEqual([false, false]);
  const orphan = await q
    .run(
      sql`insert into websites (tenant_id, customer_id, hostname) values (${tenant_id}, ${tenant_id}, 'a')`,
    )
    .catch((error: unknown) => error);
  expect(isForeignKeyViolation(orphan)).toBe(true);
});

describe('a database that disappears silently', () => {
  let proxy: SilentProxy;
  let far: Database;

  beforeEach(async () => {
    const { port } = new URL(database.url);
    proxy = await SilentProxy.to(Number(port || 5432));
    const url = database.url.replace(/@[^/]*/, `@127.0.0.1:${proxy.port}`);
    far = new Database({ url, maxConnections: 1, onError: () => {}, answerWithinMs: LIMIT_MS });
  });
  afterEach(async () => {
    await far.close();
    proxy.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => far.system.run(who())],
    ['a transaction', () => far.transaction(systemScope, (tx) => tx.run(who()))],
  ])('is unreachable for a waiting %s, and reachable again afterwards', async (_, ask) => {
    const limits = watchLimits();
    onTestFinished(() => limits.end());
    await ask();
    const isSilent = proxy.silence();
    const asked = ask();
    await Promise.race([isSilent, asked]);
    limits.pass();
    await expect(asked).rejects.toThrow(DatabaseUnreachable);
    proxy.speak();
    expect(await ask()).toEqual([{ role: 'acp_system', tenant: '' }]);
  });
});
