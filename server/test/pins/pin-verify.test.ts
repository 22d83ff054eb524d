import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Hasher } from '../../src/access/hasher.port.ts';
import { Argon2Hasher } from '../../src/adapters/argon2-hasher.ts';
import { LOCK_SCHEDULES } from '../../src/pins/lockout.ts';
import { reserveAttempt } from '../../src/pins/pin-attempts.db.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { createIdentity } from '../support/customers.ts';
import { plainHasher } from '../support/fakes.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { PinRoutes, type PinStatus, type PinVerification, refused } from '../support/pins.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RIGHT = '1234';
const WRONG = '0000';
/** Searched for in the log; too long to occur there by chance. */
const SEARCHED_FOR = '739152648027';

/** Counts, holds and refuses calls. */
class TestHasher implements Hasher {
  verifications = 0;
  refusal: Error | undefined;
  #held: ((refusal: Error | undefined) => void)[] | undefined;

  hash(plaintext: string) {
    return plainHasher.hash(plaintext);
  }
  async verify(hash: string, plaintext: string) {
    if (this.refusal) throw this.refusal;
    this.verifications += 1;
    const held = this.#held;
    const refusal = held && (await new Promise<Error | undefined>((go) => held.push(go)));
    if (refusal) throw refusal;
    return plainHasher.verify(hash, plaintext);
  }
  readonly verifyEach = plainHasher.verifyEach;
  hold() {
    this.#held = [];
  }
  holds = (count: number) =>
    vi.waitFor(() => expect(this.#held).toHaveLength(count), { timeout: 60_000, interval: 5 });
  /** @param refusal the error of the first held call */
  release(refusal?: Error) {
    for (const [index, go] of (this.#held ?? []).entries()) go(index === 0 ? refusal : undefined);
    this.#held = undefined;
  }
}

const hasher = new TestHasher();
let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let internal: PinRoutes;
let path: string;

beforeAll(async () => {
  service = await startTestService({ hasher, databaseWaits: PATIENT_WAITS });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id);
  internal = new PinRoutes(service.operations, instance.id);
  path = `/v1/customers/${instance.customer_id}/pin`;
  await tenant.api.post(path, { pin: RIGHT });
});
afterAll(() => service.stop());

const verify = async (pin: string, ids: object = {}) => (await internal.verify(pin, ids)).body;
const status = async () => (await tenant.api.get<PinStatus>(path)).body;
const minutesLocked = async () =>
  Math.round((Date.parse((await status()).locked_until ?? '') - service.clock.now().getTime()) / MINUTE);
const addIdentity = (customer_id = instance.customer_id) => createIdentity(tenant, customer_id);
async function lock(): Promise<void> {
  for (let nth = 1; nth <= 5; nth++) await internal.verify(WRONG);
}

const byRemaining = (a: PinVerification, b: PinVerification) => a.remaining_attempts - b.remaining_attempts;
const session = async (token: string | null) => (await internal.session(token)).body;

describe('verify', () => {
  it('returns a session for a right PIN', async () => {
    const answer = await internal.verify(RIGHT);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      verified: true,
      session_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      session_ttl_minutes: 15,
      remaining_attempts: 5,
      error: null,
    });
  });

  it('counts a malformed PIN as a wrong one', async () => {
    for (const [index, guess] of ['', '12', 'abcd', `${RIGHT}\n`, '9'.repeat(100_000)].entries()) {
      expect(await verify(guess)).toEqual(refused('pin_invalid', 4 - index));
    }
    const wrongType = await service.operations.post(`${internal.path}/pin/verify`, {
      pin: 1234,
      customer_id: 'x',
    });
    expect(wrongType.body).toMatchObject({
      detail: [
        { loc: ['body', 'pin'], type: 'string_type' },
        { loc: ['body', 'customer_id'], type: 'uuid_parsing' },
      ],
    });
  });

  it('reports a missing PIN', async () => {
    await tenant.api.delete(path);
    expect(await verify(RIGHT)).toEqual(refused('pin_not_set', 5));
  });

  it('falls back to the customer’s PIN', async () => {
    const { customer_id } = instance;
    const [own, without] = await Promise.all([addIdentity(), addIdentity()]);
    await internal.setOwn(own, '5678');
    expect(await verify('5678', { identity_id: own })).toMatchObject({ verified: true });
    expect(await verify('5678', { identity_id: own, customer_id })).toMatchObject({ verified: true });
    expect(await verify(RIGHT, { identity_id: without, customer_id: null })).toMatchObject({
      verified: true,
    });
    expect(await verify(RIGHT, { customer_id: customer_id.toUpperCase() })).toMatchObject({ verified: true });
    // Each has its own attempts.
    expect(await verify(RIGHT, { identity_id: own })).toEqual(refused('pin_invalid', 4));
    expect(await verify(WRONG, { identity_id: without })).toEqual(refused('pin_invalid', 4));
    expect(await verify(WRONG, { customer_id })).toEqual(refused('pin_invalid', 4));
  });

  it('requires a customer_id on a shared instance', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const routes = new PinRoutes(service.operations, shared.id);
    expect(await routes.verify(RIGHT)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'customer_id'], type: 'missing' }] },
    });
    const customer_id = await placeCustomer(service, shared.id);
    await tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: '5555' });
    expect((await routes.verify('5555', { customer_id })).body.verified).toBe(true);
  });

  it('accepts only customers and identities that the instance serves', async () => {
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    const [ours, theirs] = await Promise.all([addIdentity(), addIdentity(elsewhere.customer_id)]);
    await placeCustomer(service, instance.id, elsewhere.customer_id);
    const mismatch = { customer_id: elsewhere.customer_id, identity_id: ours };
    expect(await internal.verify(RIGHT, mismatch)).toMatchObject({ status: 404 });
    const other = new PinRoutes(service.operations, elsewhere.id);
    for (const ids of [
      { customer_id: instance.customer_id },
      { identity_id: ours },
      { customer_id: randomUUID() },
      { identity_id: randomUUID() },
    ]) {
      expect(await other.verify(RIGHT, ids)).toMatchObject({ status: 404 });
    }
    expect((await other.verify(RIGHT, { identity_id: theirs })).body).toEqual(refused('pin_not_set', 5));
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 4));
  });
});

describe('the lock', () => {
  it('refuses the right PIN without a hash until it ends', async () => {
    for (const left of [4, 3, 2, 1, 0]) expect(await verify(WRONG)).toEqual(refused('pin_invalid', left));
    const { verifications } = hasher;
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    expect(hasher.verifications).toBe(verifications);
    expect(await status()).toMatchObject({ has_pin: true, is_active: true, is_locked: true });
    expect(await minutesLocked()).toBe(15);

    service.clock.advance(14 * MINUTE);
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    service.clock.advance(MINUTE);
    expect(await status()).toMatchObject({ is_locked: false, locked_until: null });
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 4));
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
  });

  it('doubles to 24 hours until the PIN becomes inactive', async () => {
    const { customer_id } = instance;
    const locks: number[] = [];
    for (let round = 1; round <= 20; round++) {
      await lock();
      locks.push(await minutesLocked());
      service.clock.advance(24 * HOUR);
    }
    expect(locks).toEqual([15, 30, 60, 120, 240, 480, 960, ...Array<number>(13).fill(1440)]);
    expect(await status()).toMatchObject({ has_pin: true, is_active: false, is_locked: false });
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    // The skills stay protected.
    const check = await internal.required(customer_id);
    expect(check.body).toMatchObject({ required: true, has_pin: true, is_locked: true });

    expect((await tenant.api.post<PinStatus>(path, { pin: RIGHT })).body).toMatchObject({ is_active: true });
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
  });

  it('starts again at 15 minutes after a right PIN', async () => {
    await lock();
    service.clock.advance(15 * MINUTE);
    expect(await verify(RIGHT)).toMatchObject({ verified: true });
    await lock();
    expect(await minutesLocked()).toBe(15);
    await tenant.api.post(path, { pin: '5678' });
    expect(await status()).toMatchObject({ is_locked: false });
    expect(await verify('5678')).toMatchObject({ verified: true });
    await lock();
    expect(await minutesLocked()).toBe(15);
    expect((await internal.required(instance.customer_id)).body).toMatchObject({
      required: true,
      is_locked: true,
    });
  });

  it('holds if the process that reserved the attempts has died', async () => {
    const [pin] = await service.database.query<{ id: string }>('select id from pins where customer_id = $1', [
      instance.customer_id,
    ]);
    const q = service.service.services.db.tenant(tenant.tenant_id);
    const reserve = () => q.run(reserveAttempt(pin?.id ?? '', null, LOCK_SCHEDULES));
    for (const nth of [1, 2, 3, 4, 5])
      expect(await reserve()).toMatchObject({ nth_of_own: nth, nth_of_pin: nth });
    expect(await reserve()).toBeUndefined();
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    expect(await minutesLocked()).toBe(15);
  });
});

describe('concurrently', () => {
  it('a right PIN among the reserved attempts clears the lock', async () => {
    hasher.hold();
    const four = [1, 2, 3, 4].map(() => verify(WRONG));
    await hasher.holds(4);
    const fifth = verify(RIGHT);
    await hasher.holds(5);
    expect(await verify(RIGHT)).toEqual(refused('pin_locked', 0));
    hasher.release();
    expect(await fifth).toMatchObject({ verified: true });
    const results = (await Promise.all(four)).toSorted(byRemaining);
    expect(results).toEqual([1, 2, 3, 4].map((left) => refused('pin_invalid', left)));
    expect(await status()).toMatchObject({ is_locked: false });
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 4));
  });

  it('a PIN that is replaced during hashing does not verify', async () => {
    hasher.hold();
    const old = verify(RIGHT);
    await hasher.holds(1);
    await tenant.api.post(path, { pin: '5678' });
    hasher.release();
    expect(await old).toEqual(refused('pin_invalid', 4));

    hasher.hold();
    const removed = verify('5678');
    await hasher.holds(1);
    await tenant.api.delete(path);
    hasher.release();
    expect(await removed).toEqual(refused('pin_not_set', 5));
  });

  it('a guess refused for load costs no attempt', async () => {
    hasher.refusal = new ServiceError('rate_limited', 'Too many', { 'retry-after': '1' });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => internal.verify(WRONG)));
    hasher.refusal = undefined;
    for (const answer of answers) {
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await status()).toMatchObject({ is_locked: false });
    expect(await verify(WRONG)).toEqual(refused('pin_invalid', 4));
  });

  it('a refused guess at the old PIN leaves the new PIN’s attempts', async () => {
    hasher.hold();
    const guess = internal.verify(RIGHT);
    await hasher.holds(1);
    await tenant.api.post(path, { pin: '5678' });
    const wrong = [1, 2, 3, 4, 5].map(() => verify(WRONG));
    await hasher.holds(6);
    hasher.release(new ServiceError('rate_limited', 'Too many', { 'retry-after': '1' }));
    expect((await guess).status).toBe(429);
    await Promise.all(wrong);
    expect(await status()).toMatchObject({ is_locked: true });
    expect(await verify('5678')).toEqual(refused('pin_locked', 0));
  });
});

describe('a session', () => {
  const NONE = { valid: false, expires_at: null };

  it('lasts as long as the policy says, only on its instance', async () => {
    await tenant.api.patch(`/v1/instances/${instance.id}/pin-policy`, { pin_session_ttl_minutes: 7 });
    const { session_token, session_ttl_minutes } = await verify(RIGHT);
    expect(session_ttl_minutes).toBe(7);
    const answer = await internal.session(session_token);
    expect(answer.status).toBe(200);
    expect(answer.body.valid).toBe(true);
    const lasts = Date.parse(answer.body.expires_at ?? '') - service.clock.now().getTime();
    expect(Math.ceil(lasts / MINUTE)).toBe(7);

    const other = await insertInstance(service, tenant.tenant_id);
    await placeCustomer(service, other.id, instance.customer_id);
    expect((await new PinRoutes(service.operations, other.id).session(session_token)).body).toEqual(NONE);
    expect(await session('')).toEqual(NONE);
    expect(await session(`${session_token}x`)).toEqual(NONE);

    service.clock.advance(6 * MINUTE);
    const { session_token: second } = await verify(RIGHT);
    expect(await session(session_token)).toMatchObject({ valid: true });
    service.clock.advance(MINUTE);
    expect(await session(session_token)).toEqual(NONE);
    expect(await session(second)).toMatchObject({ valid: true });
  });

  it('ends when the PIN is set again or removed', async () => {
    const { session_token } = await verify(RIGHT);
    await lock();
    expect(await session(session_token)).toMatchObject({ valid: true });
    await tenant.api.post(path, { pin: RIGHT });
    expect(await session(session_token)).toEqual(NONE);
    const { session_token: second } = await verify(RIGHT);
    await tenant.api.delete(path);
    expect(await session(second)).toEqual(NONE);
    await tenant.api.post(path, { pin: RIGHT });
    expect(await session(second)).toEqual(NONE);
  });

  it('ends when its identity gets a PIN of its own', async () => {
    const [own, without] = await Promise.all([addIdentity(), addIdentity()]);
    const tokens = await Promise.all(
      [{ identity_id: own }, { identity_id: without }, {}].map(async (ids) => await verify(RIGHT, ids)),
    );
    await internal.setOwn(own, '5678');
    const sessions = await Promise.all(tokens.map(({ session_token }) => session(session_token)));
    expect(sessions.map(({ valid }) => valid)).toEqual([false, true, true]);
  });

  it('is deleted after it has ended', async () => {
    const rows = () =>
      service.database.query<{ token_hash: Buffer }>(
        'select s.token_hash from pin_sessions s join pins p on p.id = s.pin_id where p.customer_id = $1',
        [instance.customer_id],
      );
    const { session_token } = await verify(RIGHT);
    expect((await rows())[0]?.token_hash.toString()).not.toContain(session_token);
    service.clock.advance(16 * MINUTE);
    await Promise.all([verify(RIGHT), verify(RIGHT), verify(RIGHT)]);
    expect(await rows()).toHaveLength(3);
    await tenant.api.post(path, { pin: RIGHT });
    await verify(RIGHT);
    expect(await rows()).toHaveLength(1);
  });
});

describe('with argon2id', () => {
  let real: TestService;
  let owner: TestTenant;
  const log = new PassThrough();

  beforeAll(async () => {
    const logger = pino({ level: 'trace' }, log);
    real = await startTestService({ hasher: new Argon2Hasher(), logger, databaseWaits: PATIENT_WAITS });
    owner = await real.createTenant();
  });

  it('100 concurrent wrong PINs spend five attempts', async () => {
    const { id, customer_id } = await insertInstance(real, owner.tenant_id);
    const routes = new PinRoutes(real.operations, id);
    await owner.api.post(`/v1/customers/${customer_id}/pin`, { pin: SEARCHED_FOR });
    const attempt = (): Promise<PinVerification[]> =>
      Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const answer = await routes.verify(String(800_000_000_000 + index));
          expect(answer.status).toBe(200);
          return answer.body;
        }),
      );
    for (const [round, minutes] of [15, 30].entries()) {
      const results = await attempt();
      const invalid = results.filter(({ error }) => error === 'pin_invalid');
      expect(invalid.toSorted(byRemaining)).toEqual(
        [0, 1, 2, 3, 4].map((left) => refused('pin_invalid', left)),
      );
      const others = results.filter(({ error }) => error !== 'pin_invalid');
      expect(others).toEqual(Array<PinVerification>(95).fill(refused('pin_locked', 0)));
      const [row] = await real.database.query<{ attempts: number; locked_until: Date }>(
        'select p.attempts, t.locked_until from pins p join pin_tries t using (customer_id) where customer_id = $1',
        [customer_id],
      );
      expect(row?.attempts).toBe((round + 1) * 5);
      const lasts = (row?.locked_until.getTime() ?? 0) - real.clock.now().getTime();
      expect(Math.ceil(lasts / MINUTE)).toBe(minutes);
      real.clock.advance(minutes * MINUTE);
    }
    const right = await routes.verify(SEARCHED_FOR);
    expect(right.body.verified).toBe(true);
    expect((await routes.session(right.body.session_token)).body.valid).toBe(true);

    const [row] = await real.database.query<{ pin_hash: string }>('select pin_hash from pins');
    expect(row?.pin_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await real.stop();
    log.end();
    const logged = await text(log);
    expect(logged).toContain('verify_pin');
    for (const secret of [SEARCHED_FOR, '800000000001', right.body.session_token, row?.pin_hash]) {
      expect(logged).not.toContain(secret);
    }
  });
});
