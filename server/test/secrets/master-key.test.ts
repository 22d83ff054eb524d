import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeyFile } from '../../src/adapters/master-key-file.ts';
import type { Rewrapped } from '../../src/secrets/master-key-rotation.ts';
import type { ServiceOptions } from '../../src/service.ts';
import { withConnection } from '../support/connection.ts';
import { createTestDatabase, lockWaits, type TestDatabase } from '../support/database.ts';
import { countOpenedBy, countWrapped, SealedThings } from '../support/master-keys.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

const REWRAP = '/internal/v1/master-key/rewrap';
const ROTATE = '/internal/v1/master-key/rotate';

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

const post = (one: TestService, path: string) => one.operations.post<Rewrapped>(path);

describe('processes that share a database', () => {
  it('change the key without an interruption', async () => {
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
    // Three tenants; the one created under the new key needs nothing.
    expect(body).toEqual({
      tenant_keys: 2,
      ca_keys: 2,
      chain_heads: 4,
      service_keys: expect.any(Number),
      remaining: 0,
    });
    await things.expectOpenOn(before);

    const last = await start(next);
    await things.expectOpenOn(last);
    await late.expectOpenOn(last);
    expect(await countOpenedBy(database, old)).toBe(0);
    expect(await countOpenedBy(database, next)).toBe(await countWrapped(database));
    await expect(start(old)).rejects.toThrow(/^MASTER_KEY .+$/);
  });

  it('answer 503 rather than wrap with a retired key', async () => {
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
    // MASTER_KEY is a setting here.
    expect((await post(behind, ROTATE)).status).toBe(409);
  });
});

describe('an installation with its own key', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'acp-master-key-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const lines = async () => (await readFile(join(directory, 'master.key'), 'utf8')).trim().split('\n');

  async function startFromFile(): Promise<TestService> {
    const file = await MasterKeyFile.open(directory);
    const [current, ...others] = file.keys;
    return start(current, others, { masterKeyStore: file });
  }

  it('replaces it with one call', async () => {
    const one = await startFromFile();
    const things = await SealedThings.make(one, openssl);
    const [before = ''] = await lines();
    const { status, body } = await post(one, ROTATE);
    expect(status).toBe(200);
    const { remaining, ...moved } = body;
    expect(remaining).toBe(0);
    expect(Object.values(moved).reduce((sum, count) => sum + count)).toBe(await countWrapped(database));
    await things.expectOpenOn(one);
    const after = await lines();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
    expect(await countOpenedBy(database, Buffer.from(before, 'base64'))).toBe(0);
    const fresh = await startFromFile();
    await (await SealedThings.make(one, openssl)).expectOpenOn(fresh);
    await things.expectOpenOn(fresh);
    await expect(start(Buffer.from(before, 'base64'))).rejects.toThrow(/^MASTER_KEY .+$/);
  });

  it('creates tenants and issuing keys during rotations', async () => {
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

  it('creates a tenant although the key is retired meanwhile', async () => {
    const one = await startFromFile();
    await database.query(
      `create function wait_here() returns trigger language plpgsql as
       $$ begin
         -- A rotation may take longer than the lock_timeout of sessions.
         perform set_config('lock_timeout', '0', true);
         perform pg_advisory_xact_lock(1);
         return new;
       end $$`,
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
});
