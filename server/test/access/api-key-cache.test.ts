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
import { watched } from '../support/watched.ts';

let database: TestDatabase;
let db: Database;
let known: ApiKeyCache;
let id: string;
let key: string;
/** The statements that `known` has sent. */
let asked: string[];
let isAway: boolean;
/** Notifies `known` of a change to some key. */
let notify: (payload: string) => void;
/** The reading of the monotonic clock, in milliseconds. */
let monotonic: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database({ url: database.url, maxConnections: 2, onError: () => {} });
  // Without notifications, which would clear the cache at once.
  await database.query('alter table api_keys disable trigger notify_api_key_change');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

beforeEach(async () => {
  ({ id, key } = await newKey());
  asked = [];
  // The tests call note() themselves.
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
  known = new ApiKeyCache(system, notifications);
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
  it('is looked up once while it is in constant use', async () => {
    for (let use = 0; use < 5; use++) {
      expect(await known.use(key)).toMatchObject({ id });
      monotonic += 600;
      await known.note();
    }
    expect(lookups()).toHaveLength(1);
    expect(asked).toHaveLength(6);
  });

  it('is looked up again after a second without a use', async () => {
    await known.use(key);
    monotonic += 999;
    await known.use(key);
    expect(lookups()).toHaveLength(1);
    monotonic += 2;
    await known.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('that was revoked is refused once its use is recorded', async () => {
    await known.use(key);
    await revoke();
    expect(await known.use(key)).toMatchObject({ id });
    await known.note();
    expect(await known.use(key)).toBeUndefined();
  });

  it('is looked up again after a change while it was looked up', async () => {
    const use = known.use(key);
    notify('');
    await use;
    await known.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('is looked up again after a change while its use was recorded', async () => {
    await known.use(key);
    const noted = known.note();
    notify('');
    await noted;
    await known.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('is trusted from the time at which the record was sent, not answered', async () => {
    await known.use(key);
    const noted = known.note();
    monotonic += 1001;
    await noted;
    await known.use(key);
    expect(lookups()).toHaveLength(2);
  });

  it('keeps the latest use, also where an earlier one is recorded later', async () => {
    const [early, late] = [new Date('2026-01-31T09:30:00Z'), new Date('2026-01-31T09:31:00Z')];
    for (const at of [late, early]) await db.system.run(touchApiKeys([id], [at]));
    const rows = await database.query('select last_used_at from api_keys where id = $1', [id]);
    expect(rows).toEqual([{ last_used_at: late }]);
  });

  it('is recorded by two copies of the service at once without a deadlock', async () => {
    vi.useRealTimers();
    const ids = [id, (await newKey()).id, (await newKey()).id].toSorted();
    // The plan that many keys would get.
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

  it('is looked up again when its use could not be recorded', async () => {
    await known.use(key);
    isAway = true;
    await known.note();
    isAway = false;
    monotonic += 1001;
    expect(await known.use(key)).toMatchObject({ id });
    expect(lookups()).toHaveLength(2);
  });
});
