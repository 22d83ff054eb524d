import { EventEmitter, once } from 'node:events';
import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { HashFor } from '../../src/access/hasher.port.ts';
import { Argon2Hasher } from '../../src/adapters/argon2-hasher.ts';
import { HashThread } from '../../src/adapters/hash-thread.ts';
import { insertInstance } from '../support/instances.ts';
import { PinRoutes } from '../support/pins.ts';
import { PASSWORD, startTestService, type TestService } from '../support/service.ts';

const MAX_WAITING = 20;
const FLOOD = 2 * MAX_WAITING;
const PIN = '1234';

/** Tells who came and, in order, who was served. Its one thread gets nothing done while a test holds it. */
class WatchedHasher extends Argon2Hasher {
  came = 0;
  served: HashFor[] = [];

  constructor() {
    super({ threads: 1, maxWaiting: MAX_WAITING });
  }

  override hash(plaintext: string, whom: HashFor) {
    return this.#watch(super.hash(plaintext, whom), whom);
  }
  override verify(hashed: string, plaintext: string, whom: HashFor) {
    return this.#watch(super.verify(hashed, plaintext, whom), whom);
  }
  async #watch<T>(result: Promise<T>, whom: HashFor): Promise<T> {
    this.came += 1;
    const value = await result;
    this.served.push(whom);
    return value;
  }

  /** @returns what lets the thread go */
  hold(): () => void {
    this.came = 0;
    this.served = [];
    const thread = new EventEmitter();
    const released = once(thread, 'released');
    const run = vi.spyOn(HashThread.prototype, 'run');
    run.mockImplementationOnce(async function (this: HashThread, order) {
      await released;
      return this.run(order);
    });
    const release = () => void thread.emit('released');
    onTestFinished(() => {
      release();
      run.mockRestore();
    });
    return release;
  }
  haveCome = (count: number) => vi.waitFor(() => expect(this.came).toBe(count), { timeout: 60_000 });
}

const hasher = new WatchedHasher();
let service: TestService;
beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ hasher, runsJobs: false, forwardedForProxies });
});
afterAll(() => service.stop());

const withPin = async () => {
  const tenant = await service.createTenant();
  const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
  const setPin = () => tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: PIN });
  expect((await setPin()).status).toBe(201);
  return { tenant, setPin, pins: new PinRoutes(service.operations, id) };
};

/** So many at once, of which more are refused than wait. All have come, and none was served yet. */
async function flood(request: (nth: number) => Promise<{ status: number; headers: Headers }>) {
  const release = hasher.hold();
  const answers = Array.from({ length: FLOOD }, async (_, nth) => {
    const { status, headers } = await request(nth);
    if (status === 429) expect(headers.get('retry-after')).toBe('1');
    return status;
  });
  await hasher.haveCome(FLOOD);
  return { release, answers: Promise.all(answers) };
}

const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

it('keeps nobody behind the PINs of a tenant that asks for more than there is room for', async () => {
  const [busy, other] = await Promise.all([withPin(), withPin()]);
  const { answers, release } = await flood(busy.setPin);
  const others = Promise.all([
    other.pins.verify(PIN),
    service.anonymous.post('/auth/login', { email: other.tenant.admin_email, password: PASSWORD }),
    other.tenant.api.post('/v1/users', { email: 'new@example.com', password: PASSWORD, role: 'member' }),
  ]);
  await hasher.haveCome(FLOOD + 3);
  release();
  const [verified, session, user] = await others;
  expect([verified.status, session.status, user.status]).toEqual([200, 200, 201]);
  expect(verified.body.verified).toBe(true);
  // The two of the other tenant took the places of two that waited.
  expect(refused(await answers)).toBe(FLOOD - MAX_WAITING - 1 + 2);
  const [us, them] = [{ tenant_id: busy.tenant.tenant_id }, { tenant_id: other.tenant.tenant_id }];
  const first = hasher.served.slice(0, 6);
  expect(first.filter((whom) => 'address' in whom)).toHaveLength(1);
  expect(first.filter((whom) => 'tenant_id' in whom)).toEqual([us, us, them, us, them]);
});

it('keeps no PIN behind logins', async () => {
  const { tenant, pins } = await withPin();
  const { answers, release } = await flood((nth) =>
    service.anonymous.with({ 'x-forwarded-for': `192.0.2.${nth}` }).post('/auth/login', {
      email: `${crypto.randomUUID()}@example.com`,
      password: PASSWORD,
    }),
  );
  const verified = pins.verify(PIN);
  await hasher.haveCome(FLOOD + 1);
  release();
  expect((await verified).body.verified).toBe(true);
  const statuses = await answers;
  expect(refused(statuses)).toBe(FLOOD - MAX_WAITING - 1);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(hasher.served.slice(0, 3)).toContainEqual({ tenant_id: tenant.tenant_id });
});
