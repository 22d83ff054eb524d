import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceTenantKey } from '../../src/access/tenants.db.ts';
import { MasterKeyFile } from '../../src/adapters/master-key-file.ts';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { replaceCaPrivateKey } from '../../src/certificates/ca-keys.db.ts';
import { makeCaKeys } from '../../src/certificates/ca-keys.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Keyring } from '../../src/secrets/keyring.ts';
import { MasterKeyRotation, type Rewrapped } from '../../src/secrets/master-key-rotation.ts';
import type { MasterKeyStore } from '../../src/secrets/master-key-store.port.ts';
import { MasterKeys } from '../../src/secrets/master-keys.ts';
import { withConnection } from '../support/connection.ts';
import { createTestDatabase, lockWaits, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import {
  countOpenedBy,
  countWrapped,
  forgetKeyIds,
  newTenantUnder,
  WatchedStore,
} from '../support/master-keys.ts';

/** Ends after one batch. */
const BRIEFLY = { batch: 2, timeMs: 0 };

let database: TestDatabase;
let connections: Database[];
let old: Buffer;
let next: Buffer;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  connections = [];
  old = randomBytes(32);
  next = randomBytes(32);
});
afterEach(async () => {
  for (const db of connections) await db.close();
  await database.query('delete from chain_heads');
  await database.query('delete from tenants where not is_platform');
  await database.query('delete from ca_keys');
  await database.query('delete from service_keys');
  await database.query('delete from master_keys');
});

/** Like a process that starts now. */
async function start(
  current: Buffer,
  previous: Buffer[] = [],
  store?: MasterKeyStore,
): Promise<MasterKeyRotation> {
  const db = new Database({ url: database.url, maxConnections: 2, onError: () => {} });
  connections.push(db);
  const masterKeys = new MasterKeys(current, previous);
  const keyring = await Keyring.open(db, masterKeys);
  await makeCaKeys({ db, keyring, x509: new PeculiarX509() });
  return new MasterKeyRotation(
    { db, masterKeys, log: silentLog },
    { tenant_keys: replaceTenantKey, ca_keys: replaceCaPrivateKey },
    store,
  );
}

async function addTenant(key: Buffer): Promise<void> {
  const { text, values } = newTenantUnder(key);
  await database.query(text, values);
}

/** With three tenants. */
async function startFirst(store?: MasterKeyStore, key = old): Promise<MasterKeyRotation> {
  const first = await start(key, [], store);
  for (let count = 0; count < 3; count++) await addTenant(key);
  return first;
}

async function expectAllOpenedBy(...keys: [Buffer, ...Buffer[]]): Promise<void> {
  expect(await countOpenedBy(database, ...keys)).toBe(await countWrapped(database));
}

const moved = ({ tenant_keys, ca_keys, chain_heads, service_keys }: Rewrapped) =>
  tenant_keys + ca_keys + chain_heads + service_keys;
const refusal = (starting: Promise<unknown>): Promise<string> =>
  starting.then(
    () => 'started',
    (error: unknown) => (error as Error).message,
  );

describe('processes that share a database', () => {
  it('do not start without a key that is still needed', async () => {
    await startFirst();
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY .+$/);
    const both = await start(next, [old]);
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY_PREVIOUS .+$/);
    expect(await refusal(start(old))).toMatch(/^MASTER_KEY_PREVIOUS .+$/);
    expect(await refusal(start(randomBytes(32)))).toMatch(/^MASTER_KEY .+$/);
    expect(await database.query('select from master_keys')).toHaveLength(2);
    expect(await both.rewrap()).toEqual({
      tenant_keys: 3,
      ca_keys: 2,
      chain_heads: 3,
      service_keys: 8,
      remaining: 0,
    });
    await expectAllOpenedBy(next);
  });

  it('rewrap each value once when they do it concurrently', async () => {
    await startFirst();
    for (let count = 0; count < 30; count++) await addTenant(old);
    const copies = [await start(next, [old]), await start(next, [old])];
    const limits = { batch: 3, timeMs: 20_000 };
    const counts = await Promise.all([...copies, ...copies].map((copy) => copy.rewrap(limits)));
    expect(counts.map(moved).reduce((sum, count) => sum + count)).toBe(await countWrapped(database));
    expect(counts.map(({ remaining }) => remaining)).toEqual([0, 0, 0, 0]);
    expect(moved((await copies[0]?.rewrap()) as Rewrapped)).toBe(0);
    await expectAllOpenedBy(next);
  });

  it('rewrap concurrently written values', async () => {
    await start(old);
    const [kept] = await database.query<{ key: Buffer }>(
      'select wrapped_key as key from service_keys limit 1',
    );
    const one = await start(next, [old]);
    await withConnection(database.url, async (client) => {
      await client.query('begin');
      await client.query(newTenantUnder(old));
      const rewrapped = one.rewrap();
      await lockWaits(database, 1);
      await client.query('commit');
      expect(await rewrapped).toMatchObject({ tenant_keys: 1, remaining: 0 });
    });
    await expect(addTenant(old)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^(tenants|chain_heads)_master_key_id_fkey$/),
    });
    const putBack = database.query('update service_keys set wrapped_key = $1', [kept?.key]);
    await expect(putBack).rejects.toMatchObject({ constraint: 'service_keys_master_key_id_fkey' });
    expect(await countOpenedBy(database, old)).toBe(0);
  });

  it('return to the previous key in the same way', async () => {
    await startFirst();
    expect((await (await start(next, [old])).rewrap()).remaining).toBe(0);
    expect((await (await start(old, [next])).rewrap()).remaining).toBe(0);
    await start(old);
    await expectAllOpenedBy(old);
    expect(await countOpenedBy(database, next)).toBe(0);
  });

  it('refuse a rotation where MASTER_KEY is a setting', async () => {
    const rotation = (await start(old)).rotate();
    await expect(rotation).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/MASTER_KEY_PREVIOUS.+rewrap/),
    });
  });
});

describe.each(['name their key', 'do not name it yet'])('values that %s', (kind) => {
  it('all open wherever a rewrap ends', async () => {
    await startFirst();
    if (kind === 'do not name it yet') await forgetKeyIds(database);
    const total = await countWrapped(database);
    let done = 0;
    for (let remaining = total; remaining > 0; ) {
      const counts = await (await start(next, [old])).rewrap(BRIEFLY);
      expect(moved(counts)).toBeGreaterThan(0);
      done += moved(counts);
      ({ remaining } = counts);
      expect(remaining).toBe(total - done);
      await expectAllOpenedBy(next, old);
      if (remaining > 0) {
        expect(await refusal(start(next))).toMatch(/^MASTER_KEY(_PREVIOUS)? .+$/);
        expect(await refusal(start(old))).toMatch(/^MASTER_KEY(_PREVIOUS)? .+$/);
      }
    }
    await start(next);
    await expectAllOpenedBy(next);
    expect(await countOpenedBy(database, old)).toBe(0);
  });
});

const flipBit = (at: number) =>
  database.query(
    `update tenants set wrapped_key = set_byte(wrapped_key, ${at}, get_byte(wrapped_key, ${at}) # 1) where not is_platform`,
  );

it('keeps a value with a flipped bit, and its key', async () => {
  await start(old);
  await addTenant(old);
  const one = await start(next, [old]);
  // A bit of the inner version, the IV, the tag, the ciphertext.
  for (const at of [9, 10, 25, 40]) {
    await flipBit(at);
    expect(await one.rewrap()).toMatchObject({ tenant_keys: 0, remaining: 1 });
    expect(await refusal(start(next))).toMatch(/^MASTER_KEY_PREVIOUS /);
    await flipBit(at);
  }
  // The key id must be one that is in use.
  for (const at of [1, 8])
    await expect(flipBit(at)).rejects.toMatchObject({ constraint: 'tenants_master_key_id_fkey' });
  expect(await one.rewrap()).toMatchObject({ tenant_keys: 1, remaining: 0 });
});

describe('an installation with its own key', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'acp-master-key-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const lines = async () => (await readFile(join(directory, 'master.key'), 'utf8')).trim().split('\n');

  async function startFromFile(watch: (store: MasterKeyStore) => MasterKeyStore = (store) => store) {
    const file = await MasterKeyFile.open(directory);
    const [current, ...others] = file.keys;
    const rotation = await start(current, others, watch(file));
    await expectAllOpenedBy(...file.keys);
    return { rotation, key: current };
  }

  it.each(['add', 'added', 'keepOnly', 'keptOnly'])(
    'loses nothing when the process ends at “%s”',
    async (end) => {
      const ending = (step: string) => {
        if (step === end) throw new Error('The process ends here');
      };
      const { rotation, key } = await startFromFile((store) => new WatchedStore(store, ending));
      for (let count = 0; count < 3; count++) await addTenant(key);
      await expect(rotation.rotate()).rejects.toThrow('The process ends here');
      const again = await startFromFile();
      await again.rotation.finish();
      expect(await lines()).toHaveLength(1);
      await startFromFile();
      expect((await again.rotation.rotate()).remaining).toBe(0);
      await startFromFile();
    },
  );

  it('continues an unfinished rotation', async () => {
    const { rotation } = await startFromFile();
    expect((await rotation.rotate(BRIEFLY)).remaining).toBeGreaterThan(0);
    const both = await lines();
    expect(both).toHaveLength(2);
    const again = await startFromFile();
    expect((await again.rotation.rotate()).remaining).toBe(0);
    expect(await lines()).toEqual(both.slice(0, 1));
    await startFromFile();
  });
});
