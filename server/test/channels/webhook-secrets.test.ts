import { randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyTokenHash } from '../../src/channels/channel-endpoints.ts';
import { appSecretContext } from '../../src/channels/webhook-signature.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  changeFor,
  deliver,
  HOOK,
  messagesCountedBy,
  payloadOf,
  sign,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

/** The contract's limit per payload. */
const MOST = 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;

const start = async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ runsJobs: false, forwardedForProxies });
  tenant = await service.createTenant();
  instance = await insertInstance(service, tenant.tenant_id);
};

/** Advances the service's clock and that of its cache. */
let ahead = 0;
const advance = (ms: number) => {
  service.clock.advance(ms);
  ahead += ms;
};
beforeAll(() => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const newSecret = () => `secret-${randomUUID()}`;

async function register(given: Partial<TestEndpoint> = {}, of = tenant): Promise<TestEndpoint> {
  const settings = {
    phone_number_id: given.phone_number_id ?? randomUUID(),
    app_secret: given.app_secret ?? newSecret(),
    verify_token: 'a-verify-token',
  };
  const answering = of === tenant ? instance : await insertInstance(service, of.tenant_id);
  const { status, body } = await of.api.post<{ id: string }>('/v1/channel-endpoints', {
    channel: 'chatapp',
    instance_id: answering.id,
    ...settings,
  });
  expect(status).toBe(201);
  // Registrations and signatures have different times.
  advance(1000);
  return { id: body.id, ...settings, instance: answering };
}

/** Another tenant with the same number. */
const claim = async ({ phone_number_id }: TestEndpoint, app_secret = newSecret()) =>
  register({ phone_number_id, app_secret }, await service.createTenant());

async function registerMany(count: number): Promise<void> {
  const { keyring, db } = service.service.services;
  const q = db.tenant(tenant.tenant_id);
  const rows = Array.from({ length: count }, async () => {
    const [id, app_secret] = [randomUUID(), newSecret()];
    const sealed = await keyring.seal(q, app_secret, appSecretContext(id));
    return {
      id,
      hash: keyring.lookupHash('app-secret', app_secret).toString('hex'),
      sealed: sealed.toString('hex'),
    };
  });
  await service.database.query(
    `insert into channel_endpoints (id, tenant_id, channel, phone_number_id, instance_id, verify_token_hash,
       app_secret_hash, sealed_app_secret)
     select id, $2, 'chatapp', gen_random_uuid()::text, $3, $4, decode(hash, 'hex'), decode(sealed, 'hex')
     from jsonb_to_recordset($1::jsonb) as r (id uuid, hash text, sealed text)`,
    [
      JSON.stringify(await Promise.all(rows)),
      tenant.tenant_id,
      instance.id,
      verifyTokenHash(keyring, 'a-verify-token'),
    ],
  );
}

const payloadFor = (phone_number_id: string, account = randomUUID() as string) => ({
  ...payloadOf(),
  entry: [{ id: account, changes: [changeFor(phone_number_id, textMessage(randomUUID(), 'Hello'))] }],
});

/** Afterwards the cache has expired. */
async function send(endpoint: TestEndpoint, account?: string): Promise<number> {
  const { status } = await deliver(
    service,
    payloadFor(endpoint.phone_number_id, account),
    endpoint.app_secret,
  );
  advance(1000);
  return status;
}

/** A payload of an unknown number. */
const sendUnnamed = async ({ app_secret }: Pick<TestEndpoint, 'app_secret'>, account?: string) =>
  (await deliver(service, payloadFor('nobody', account), app_secret)).status;

async function sendOthers(count: number): Promise<TestEndpoint[]> {
  const others: TestEndpoint[] = [];
  for (let nth = 0; nth < count; nth++) {
    const other = await register();
    expect(await send(other, 'account of the others')).toBe(200);
    others.push(other);
  }
  return others;
}

const endpointRow = async ({ id }: TestEndpoint) => {
  const rows = await service.database.query<{ version: string; verified_at: Date | null }>(
    'select xmin::text as version, verified_at from channel_endpoints where id = $1',
    [id],
  );
  return rows[0];
};

describe('the secrets that a payload is held against', () => {
  beforeEach(start);
  afterEach(() => service.stop());

  it('cost the same with any number of registrations', async () => {
    const raw = JSON.stringify({ entry: [{ id: 'x', changes: [] }], padding: 'x'.repeat(1_000_000) });
    const signature = sign(raw, 'of nobody');
    const cost = async () => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5; round++) {
        const before = process.cpuUsage();
        const { status } = await service.anonymous.request('POST', HOOK, {
          raw,
          headers: { 'x-hub-signature-256': signature },
        });
        expect(status).toBe(401);
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, user + system);
      }
      return least;
    };
    const limits = { channel_endpoints: 10_000 };
    const path = `/internal/v1/tenants/${tenant.tenant_id}`;
    expect((await service.operations.patch(path, { limits })).status).toBe(200);
    await registerMany(MOST);
    const ofFew = await cost();
    await registerMany(2000);
    expect((await cost()) / ofFew).toBeLessThan(4);
  });

  it('are the twenty most recently verified ones for an unknown number and account', async () => {
    const first = await register();
    expect(await sendUnnamed(first)).toBe(200);
    expect(await send(first, 'own')).toBe(200);
    const others = await sendOthers(MOST);
    await registerMany(MOST);
    expect(await sendUnnamed(first)).toBe(401);
    for (const other of others) expect(await sendUnnamed(other)).toBe(200);
    advance(MINUTE_MS);
    expect(await send(first, 'own')).toBe(200);
    expect(await sendUnnamed(first)).toBe(200);
    // A new secret has verified nothing yet.
    const app_secret = newSecret();
    await tenant.api.patch(`/v1/channel-endpoints/${first.id}`, { app_secret });
    expect(await sendUnnamed({ app_secret })).toBe(401);
  });

  it('count once when many numbers have the same', async () => {
    const first = await register();
    expect(await send(first, 'own')).toBe(200);
    const app_secret = newSecret();
    for (let nth = 0; nth < MOST + 5; nth++) {
      expect(await send(await register({ app_secret }), 'of the app')).toBe(200);
    }
    expect(await sendUnnamed(first)).toBe(200);
  });

  it('are first those of the business account, if it is known', async () => {
    const own = await register();
    expect(await send(own, 'first')).toBe(200);
    advance(MINUTE_MS);
    expect(await send(own, 'second')).toBe(200);
    await sendOthers(MOST);
    expect(await sendUnnamed(own)).toBe(401);
    for (const account of ['first', 'second']) expect(await sendUnnamed(own, account)).toBe(200);
    // The first secret of an account does not exclude later ones.
    expect(await sendUnnamed(await register(), 'second')).toBe(401);
    const other = await register();
    expect(await send(other, 'first')).toBe(200);
    expect(await sendUnnamed(other, 'second')).toBe(200);
    expect(await messagesCountedBy(service, 'unknown_number', () => sendUnnamed(own, 'first'))).toBe(1);
  });

  it('of a number are the most recently verified, then the newest', async () => {
    const owner = await register();
    expect(await send(owner)).toBe(200);
    const claims: TestEndpoint[] = [];
    for (let nth = 0; nth < MOST; nth++) claims.push(await claim(owner));
    const [oldest, ...newer] = claims as [TestEndpoint, ...TestEndpoint[]];
    expect(await send(owner)).toBe(200);
    expect(await send(oldest)).toBe(401);
    for (const { app_secret } of newer) {
      expect((await deliver(service, payloadFor(owner.phone_number_id), app_secret)).status).toBe(200);
    }
  });

  it('have verified_at updated at most once a minute', async () => {
    const own = await register();
    expect((await endpointRow(own))?.verified_at).toBeNull();
    await send(own);
    const first = await endpointRow(own);
    expect(first?.verified_at).toBeInstanceOf(Date);
    await send(own);
    expect((await endpointRow(own))?.verified_at).toEqual(first?.verified_at);
    advance(MINUTE_MS);
    await send(own);
    expect((await endpointRow(own))?.verified_at).not.toEqual(first?.verified_at);
  });
});

const countStored = async (endpoint: TestEndpoint) => (await storedMessages(service, endpoint)).length;

const sendFrom = (address: string, endpoint: TestEndpoint, app_secret = endpoint.app_secret) => {
  const raw = JSON.stringify(payloadFor(endpoint.phone_number_id));
  const headers = { 'x-hub-signature-256': sign(raw, app_secret), 'x-forwarded-for': address };
  return service.anonymous.request('POST', HOOK, { raw, headers });
};

async function fail(address: string, endpoint: TestEndpoint, times: number): Promise<void> {
  for (let nth = 0; nth < times; nth++) {
    expect((await sendFrom(address, endpoint, 'a guess')).status).toBe(401);
  }
}

describe('a number that several tenants have registered', () => {
  beforeEach(start);
  afterEach(() => service.stop());

  it('delivers each message to the tenant whose secret signed it', async () => {
    const owner = await register();
    const other = await claim(owner);
    expect(await send(owner)).toBe(200);
    expect(await send(other)).toBe(200);
    expect(await send(owner)).toBe(200);
    expect([await countStored(owner), await countStored(other)]).toEqual([2, 1]);
  });

  it('belongs to the oldest registration when the secrets are equal', async () => {
    const owner = await register();
    const others = [await claim(owner, owner.app_secret), await claim(owner, owner.app_secret)];
    for (const endpoint of [owner, ...others]) expect(await send(endpoint)).toBe(200);
    expect(await Promise.all([owner, ...others].map(countStored))).toEqual([3, 0, 0]);
  });
});

describe('an address whose payloads do not verify', () => {
  beforeEach(start);
  afterEach(() => service.stop());
  const FAILURES = 100;

  it('is throttled, and no other', async () => {
    const endpoint = await register();
    await fail('192.0.2.1', endpoint, FAILURES);
    const refused = await sendFrom('192.0.2.1', endpoint);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await sendFrom('192.0.2.2', endpoint)).status).toBe(200);
    advance(MINUTE_MS);
    expect((await sendFrom('192.0.2.1', endpoint)).status).toBe(200);
  });

  it('is not throttled within an hour after a payload that verified', async () => {
    const endpoint = await register();
    expect((await sendFrom('192.0.2.1', endpoint)).status).toBe(200);
    advance(HOUR_MS - MINUTE_MS);
    await fail('192.0.2.1', endpoint, FAILURES + 1);
    expect((await sendFrom('192.0.2.1', endpoint)).status).toBe(200);
    advance(HOUR_MS);
    await fail('192.0.2.1', endpoint, FAILURES);
    expect((await sendFrom('192.0.2.1', endpoint, 'a guess')).status).toBe(429);
  });
});
