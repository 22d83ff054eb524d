import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeyFile } from '../../src/adapters/master-key-file.ts';
import type { MasterKeyStore } from '../../src/secrets/master-key-store.port.ts';
import type { ServiceOptions } from '../../src/service.ts';
import { withConnection } from '../support/connection.ts';
import { createTestDatabase, lockWaits, type TestDatabase } from '../support/database.ts';
import {
  countOpenedBy,
  countWrapped,
  forgetKeyIds,
  newTenantUnder,
  SealedThings,
  WatchedStore,
} from '../support/master-keys.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

interface Counts {
  tenant_keys: number;
  ca_keys: number;
  service_keys: number;
  remaining: number;
}

const REWRAP = '/internal/v1/master-key/rewrap';
const ROTATE = '/internal/v1/master-key/rotate';
/** Ends after one batch. */
const BRIEFLY = { batch: 2, timeMs: 0 };

let openssl: OpenSsl;
let database: TestDatabase;
let running: TestService[];
let old: Buffer;
let next: Buffer;

beforeAll(async () => {
  openssl = await OpenSsl.open();
});
afterAll(() => openssl.close());
beforeEach(async () => {
  database = await createTestDatabase();
  running = [];
  old = randomBytes(32);
  next = randomBytes(32);
});
afterEach(async () => {
  for (const one of running) await one.service.stop();
  await database.drop();
});

async function start(
  master_key: Buffer,
  previous_master_keys: Buffer[] = [],
  options: Partial<ServiceOptions> = {},
): Promise<TestService> {
  const one = await startTestService({
    database,
    master_key,
    previous_master_keys,
    runsJobs: false,
    ...options,
  });
  running.push(one);
  return one;
}

const post = (one: TestService, path: string) => one.operations.post<Counts>(path);
const moved = ({ tenant_keys, ca_keys, service_keys }: Counts) => tenant_keys + ca_keys + service_keys;
const refusal = (starting: Promise<unknown>): Promise<string> =>
  starting.then(
    () => 'started',
    (error: unknown) => (error as Error).message,
  );

/** A connection of one's own, as the owner. */
describe('copies of the service on one database', () => {
  it('go from one key to another without a moment in which one of them fails', async () => {
    const things = await SealedThings.make(await start(old), openssl);
    const before = await start(old, [next]);
    const after = await start(next, [old]);
    const late = await SealedThings.make(after, openssl);
    await late.expectOpenOn(before);
    await (await SealedThings.make(before, openssl)).expectOpenOn(after);

    expect((await post(before, REWRAP)).status).toBe(409);
    expect(await countOpenedBy(database, old)).toBeGreaterThan(0);
    const { status, body } = await post(after, REWRAP);
    expect(status).toBe(200);
    // Three tenants; the one made by the new key already needs nothing.
    expect(body).toEqual({ tenant_keys: 2, ca_keys: 2, service_keys: expect.any(Number), remaining: 0 });
    await things.expectOpenOn(before);

    const last = await start(next);
    await things.expectOpenOn(last);
    await late.expectOpenOn(last);
    expect(await countOpenedBy(database, old)).toBe(0);
    expect(await countOpenedBy(database, next)).toBe(await countWrapped(database));
    expect(await refusal(start(old))).toMatch(/^MASTER_KEY .+$/);
  });

  it('do not start without a key that is still needed, and leave everything as it is', async () => {
    await SealedThings.make(await start(old), openssl);
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY .+$/);
    const both = await start(next, [old]);
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY_PREVIOUS .+$/);
    expect(await refusal(start(old))).toMatch(/^MASTER_KEY_PREVIOUS .+$/);
    expect(await refusal(start(randomBytes(32)))).toMatch(/^MASTER_KEY .+$/);
    expect(await database.query('select from master_keys')).toHaveLength(2);
    expect((await post(both, REWRAP)).body).toMatchObject({ tenant_keys: 1, remaining: 0 });
  });

  it('wrap anew at once without doing anything twice, and again without doing anything', async () => {
    const things = await SealedThings.make(await start(old), openssl);
    for (let count = 0; count < 30; count += 1) {
      const { text, values } = newTenantUnder(old);
      await database.query(text, values);
    }
    const copies = [await start(next, [old]), await start(next, [old])];
    const limits = { batch: 3, timeMs: 20_000 };
    const counts = await Promise.all(
      [...copies, ...copies].map((copy) => copy.service.services.masterKeyRotation.rewrap(limits)),
    );
    expect(counts.map(moved).reduce((sum, count) => sum + count)).toBe(await countWrapped(database));
    expect(counts.map(({ remaining }) => remaining)).toEqual([0, 0, 0, 0]);
    expect(moved((await post(copies[0] as TestService, REWRAP)).body)).toBe(0);
    await things.expectOpenOn(await start(next));
  });

  it('bring what was under way along, and the database refuses what comes after', async () => {
    await start(old);
    const [kept] = await database.query<{ key: Buffer }>(
      'select wrapped_key as key from service_keys limit 1',
    );
    const one = await start(next, [old]);
    await withConnection(database.url, async (client) => {
      await client.query('begin');
      await client.query(newTenantUnder(old));
      const rewrapped = post(one, REWRAP);
      await lockWaits(database, 1);
      await client.query('commit');
      expect((await rewrapped).body).toMatchObject({ tenant_keys: 1, remaining: 0 });
    });
    const { text, values } = newTenantUnder(old);
    await expect(database.query(text, values)).rejects.toMatchObject({ constraint: 'tenants_master_key' });
    const putBack = database.query('update service_keys set wrapped_key = $1', [kept?.key]);
    await expect(putBack).rejects.toMatchObject({ constraint: 'service_keys_master_key' });
    expect(await countOpenedBy(database, old)).toBe(0);
  });

  it('say so where they still wrap with the key that a rewrap took out of use', async () => {
    const behind = await start(old, [next]);
    const things = await SealedThings.make(behind, openssl);
    expect((await post(await start(next, [old]), REWRAP)).body.remaining).toBe(0);
    const tenant = { name: 'Late', admin_email: 'late@example.com', admin_password: 'correct horse battery' };
    const refused = [
      await behind.operations.post('/internal/v1/tenants', tenant),
      await behind.operations.post('/internal/v1/ca/rotate'),
    ];
    for (const { status, body } of refused) {
      expect(status).toBe(503);
      expect(body).toEqual({ detail: expect.stringContaining('MASTER_KEY') });
    }
    await things.expectOpenOn(behind);
  });

  it('go back to the key before in the same way', async () => {
    const things = await SealedThings.make(await start(old), openssl);
    expect((await post(await start(next, [old]), REWRAP)).body.remaining).toBe(0);
    expect((await post(await start(old, [next]), REWRAP)).body.remaining).toBe(0);
    await things.expectOpenOn(await start(old));
    expect(await countOpenedBy(database, next)).toBe(0);
  });
});

describe.each(['say their key', 'do not say it yet'])('values that %s', (kind) => {
  it('are all opened at every point at which it may end', async () => {
    const things = await SealedThings.make(await start(old), openssl);
    if (kind === 'do not say it yet') await forgetKeyIds(database);
    const total = await countWrapped(database);
    let done = 0;
    for (let remaining = total; remaining > 0; ) {
      const one = await start(next, [old]);
      const counts = await one.service.services.masterKeyRotation.rewrap(BRIEFLY);
      expect(moved(counts)).toBeGreaterThan(0);
      done += moved(counts);
      ({ remaining } = counts);
      expect(remaining).toBe(total - done);
      if (remaining > 0) {
        expect(await refusal(start(next))).toMatch(/^MASTER_KEY(_PREVIOUS)? .+$/);
        expect(await refusal(start(old))).toMatch(/^MASTER_KEY(_PREVIOUS)? .+$/);
      }
      await things.expectOpenOn(one);
    }
    await things.expectOpenOn(await start(next));
    expect(await countOpenedBy(database, old)).toBe(0);
  });
});

const flipBit = (at: number) =>
  database.query(
    `update tenants set wrapped_key = set_byte(wrapped_key, ${at}, get_byte(wrapped_key, ${at}) # 1) where not is_platform`,
  );

it('refuses a value of which one bit differs, leaves it, and keeps its key needed', async () => {
  await SealedThings.make(await start(old), openssl);
  const one = await start(next, [old]);
  // A bit of the inner version, the IV, the tag, the ciphertext.
  for (const at of [9, 10, 25, 40]) {
    await flipBit(at);
    expect((await post(one, REWRAP)).body).toMatchObject({ tenant_keys: 0, remaining: 1 });
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY_PREVIOUS /);
    await flipBit(at);
  }
  // The key that a value says is one that is in use.
  for (const at of [1, 8])
    await expect(flipBit(at)).rejects.toMatchObject({ constraint: 'tenants_master_key' });
  expect((await post(one, REWRAP)).body).toMatchObject({ tenant_keys: 1, remaining: 0 });
});

describe('an installation with a key of its own', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'acp-master-key-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const lines = async () => (await readFile(join(directory, 'master.key'), 'utf8')).trim().split('\n');

  /** As a process starts: from what the file holds. */
  async function startFromFile(
    watch: (store: MasterKeyStore) => MasterKeyStore = (store) => store,
  ): Promise<TestService> {
    const file = await MasterKeyFile.open(directory);
    const [current, ...others] = file.keys;
    return start(current, others, { masterKeyStore: watch(file) });
  }

  it('replaces it with one call', async () => {
    const one = await startFromFile();
    const things = await SealedThings.make(one, openssl);
    const [before] = await lines();
    const { status, body } = await post(one, ROTATE);
    expect(status).toBe(200);
    expect(moved(body)).toBe(await countWrapped(database));
    expect(body.remaining).toBe(0);
    await things.expectOpenOn(one);
    const after = await lines();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
    expect(await countOpenedBy(database, Buffer.from(before ?? '', 'base64'))).toBe(0);
    await (await SealedThings.make(one, openssl)).expectOpenOn(await startFromFile());
    await things.expectOpenOn(await startFromFile());
    expect(await refusal(start(Buffer.from(before ?? '', 'base64')))).toMatch(/^MASTER_KEY .+$/);
  });

  it('makes tenants and issuing keys meanwhile, and replaces it several times at once', async () => {
    const one = await startFromFile();
    const rotations = Promise.all([
      post(one, ROTATE),
      post(one, ROTATE),
      post(one, REWRAP),
      post(one, ROTATE),
    ]);
    const made: Promise<SealedThings>[] = [];
    for (let isOver = false; !isOver; ) {
      const things = SealedThings.make(one, openssl);
      made.push(things);
      isOver = await Promise.race([rotations.then(() => true), things.then(() => false)]);
    }
    expect((await rotations).map(({ status, body }) => [status, body.remaining])).toEqual(
      Array.from({ length: 4 }, () => [200, 0]),
    );
    expect(await lines()).toHaveLength(1);
    const fresh = await startFromFile();
    for (const things of await Promise.all(made)) await things.expectOpenOn(fresh);
    expect(made.length).toBeGreaterThan(0);
  });

  it('makes a tenant although the key goes out of use while it is being made', async () => {
    const one = await startFromFile();
    await database.query(
      `create function wait_here() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(1); return new; end $$`,
    );
    await database.query(
      'create trigger wait_here before insert on tenants for each row execute function wait_here()',
    );
    await withConnection(database.url, async (client) => {
      await client.query('select pg_advisory_lock(1)');
      const made = SealedThings.make(one, openssl);
      await lockWaits(database, 1);
      expect((await post(one, ROTATE)).body.remaining).toBe(0);
      await client.query('select pg_advisory_unlock(1)');
      await (await made).expectOpenOn(await startFromFile());
    });
  });

  it.each(['add', 'added', 'keepOnly', 'keptOnly'])('loses nothing when it ends at “%s”', async (end) => {
    const ending = (step: string) => {
      if (step === end) throw new Error('The process ends here');
    };
    const one = await startFromFile((store) => new WatchedStore(store, ending));
    const things = await SealedThings.make(one, openssl);
    expect((await post(one, ROTATE)).status).toBe(500);
    const again = await startFromFile();
    await things.expectOpenOn(again);
    await again.service.services.masterKeyRotation.finish();
    expect(await lines()).toHaveLength(1);
    await things.expectOpenOn(await startFromFile());
    expect((await post(again, ROTATE)).body.remaining).toBe(0);
    await things.expectOpenOn(await startFromFile());
  });

  it('goes on with the one that did not come to its end', async () => {
    const one = await startFromFile();
    const things = await SealedThings.make(one, openssl);
    const { masterKeyRotation } = one.service.services;
    expect((await masterKeyRotation.rotate(BRIEFLY)).remaining).toBeGreaterThan(0);
    const both = await lines();
    expect(both).toHaveLength(2);
    const again = await startFromFile();
    await things.expectOpenOn(again);
    expect((await post(again, ROTATE)).body.remaining).toBe(0);
    expect(await lines()).toEqual(both.slice(0, 1));
    await things.expectOpenOn(await startFromFile());
  });

  it('is told what to do instead where the key is set by MASTER_KEY', async () => {
    const answer = await (await start(old)).operations.post<{ detail: string }>(ROTATE);
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toMatch(/MASTER_KEY_PREVIOUS.+rewrap/);
  });
});
