import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiKeyCache } from '../../src/access/api-key-cache.ts';
import { touchApiKeys } from '../../src/access/api-keys.db.ts';
import { createApiKey } from '../../src/access/api-keys.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Notifications } from '../../src/platform/db/notifications.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { openTransaction } from '../support/connection.ts';
import { createTestDatabase, lockWaits, type TestDatabase } from '../support/database.ts';
import { PATIENT_WAITS } from '../support/service.ts';
import { watched } from '../support/watched.ts';

let database: TestDatabase;
let db: Database;
let cache: ApiKeyCache;
let id: string;
let key: string;
/** Statements that `cache` has sent. */
let asked: string[];
let isAway: boolean;
/** Notifies `cache` of a changed key. */
let notify: (payload: string) => void;
/** Milliseconds of the fake performance.now(). */
let monotonic: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database({
    url: database.url,
    maxConnections: 4,
    onError: () => {},
    waits: PATIENT_WAITS,
  });
  // Notifications would clear the cache at once.
  await database.query('alter table api_keys disable trigger notify_api_key_change');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

beforeEach(async () => {
  ({ id, key } = await newKey());
  asked = [];
  // The tests call recordUses() themselves.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  monotonic = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
  isAway = false;
  const system = watched(db.system, ({ text }) => {
    if (isAway) throw new Error('The database is away');
    asked.push(text);
  });
  const notifications = new Notifications(database.url, [], { lost: () => {}, back: () => {} });
  vi.spyOn(notifications, 'subscribe').mockImplementation((_channel, listener) => {
    notify = listener;
    return () => {};
  });
  cache = new ApiKeyCache(system, notifications);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function newKey() {
  const tenant_id = randomUUID();
  await database.query(`insert into tenants (id, name, wrapped_key) values ($1, 'T', '')`, [tenant_id]);
  const actor = { kind: 'user', tenant_id, user_id: '', session_id: '', role: 'admin' } as const;
  const request = { name: 'Key', role: 'member', rate_limit: undefined, expires_at: null } as const;
  return createApiKey(db.tenant(tenant_id), actor, { ...request, scopes: [] });
}

const lookups = () => asked.filter((text) => text.includes('key_hash = $'));
const revoke = () => database.query('update api_keys set revoked_at = now() where id = $1', [id]);

describe('an API key', () => {
  it('is looked up once while in constant use', async () => {
    for (let use = 0; use < 5; use++) {
      expect(await cache.use(key)).toMatchObject({ id });
      monotonic += 600;
      await cache.recordUses();
    }
    expect(lookups()).toHaveLength(1);
    expect(asked).toHaveLength(6);
  });

  it('is looked up again after a second without a use', async () => {
    await cache.use(key);
    monotonic += 999;
    await cache.use(key);
    expect(lookups()).toHaveLength(1);
    monotonic += 2;
    await cache.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('is refused after its revocation once a use is recorded', async () => {
    await cache.use(key);
    await revoke();
    expect(await cache.use(key)).toMatchObject({ id });
    await cache.recordUses();
    expect(await cache.use(key)).toBeUndefined();
  });

  it('is looked up again when it changed during a lookup', async () => {
    const use = cache.use(key);
    notify('');
    await use;
    await cache.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('is looked up again when it changed while a use was recorded', async () => {
    await cache.use(key);
    const noted = cache.recordUses();
    notify('');
    await noted;
    await cache.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('is cached from the time when the record was sent, not answered', async () => {
    await cache.use(key);
    const noted = cache.recordUses();
    monotonic += 1001;
    await noted;
    await cache.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('keeps the latest use even when an earlier one is recorded later', async () => {
    const [early, late] = [new Date('2026-01-31T09:30:00Z'), new Date('2026-01-31T09:31:00Z')];
    for (const at of [late, early]) await db.system.run(touchApiKeys([id], [at]));
    const rows = await database.query('select last_used_at from api_keys where id = $1', [id]);
    expect(rows).toEqual([{ last_used_at: late }]);
  });

  it('is recorded by two concurrent copies of the service without a deadlock', async () => {
    vi.useRealTimers();
    const ids = [id, (await newKey()).id, (await newKey()).id].toSorted();
    // Forces the plan for many keys.
    const byIndex = sql`select set_config(name, 'off', true)
                        from unnest('{enable_seqscan,enable_hashjoin,enable_mergejoin}'::text[]) as name`;
    const touch = (used: readonly string[]) =>
      db.system.transaction(async (tx) => {
        const ats = used.map(() => new Date());
        const { rows } = await tx.run({ plan: byIndex, rows: touchApiKeys(used, ats) });
        return rows;
      });
    const held = await openTransaction(database.url, [
      'select from api_keys where id = $1 for update',
      [ids[1]],
    ]);
    const touches = [touch(ids)];
    await lockWaits(database, 1);
    touches.push(touch(ids.toReversed()));
    await lockWaits(database, 2);
    await held.end('commit');
    expect((await Promise.all(touches)).map((rows) => rows.length)).toEqual([3, 3]);
  });

  it('has its use recorded once a later call for that has resolved', async () => {
    vi.useRealTimers();
    await cache.use(key);
    const held = await openTransaction(database.url, ['select from api_keys where id = $1 for update', [id]]);
    const underWay = cache.recordUses();
    await lockWaits(database, 1);
    let isRecorded = false;
    const recorded = cache.recordUses().then(() => (isRecorded = true));
    await new Promise(setImmediate);
    expect(isRecorded).toBe(false);
    await held.end('commit');
    await Promise.all([underWay, recorded]);
    const [row] = await database.query('select last_used_at from api_keys where id = $1', [id]);
    expect(row?.last_used_at).toEqual(expect.any(Date));
  });

  it('is looked up again when its use could not be recorded', async () => {
    await cache.use(key);
    isAway = true;
    await cache.recordUses();
    isAway = false;
    monotonic += 1001;
    expect(await cache.use(key)).toMatchObject({ id });
    expect(lookups()).toHaveLength(2);
  });
});
