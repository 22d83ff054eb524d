import { afterAll, beforeAll, expect, it } from 'vitest';
import { Argon2Hasher } from '../../src/adapters/argon2-hasher.ts';
import { insertInstance } from '../support/instances.ts';
import { PinRoutes } from '../support/pins.ts';
import { PASSWORD, startTestService, type TestService } from '../support/service.ts';

const MAX_WAITING = 20;
const FLOOD = 2 * MAX_WAITING;
const PIN = '1234';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    hasher: new Argon2Hasher({ threads: 1, maxWaiting: MAX_WAITING }),
    works: false,
  });
});
afterAll(() => service.stop());

const withPin = async () => {
  const tenant = await service.createTenant();
  const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
  const setPin = () => tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: PIN });
  expect((await setPin()).status).toBe(201);
  return { tenant, setPin, pins: new PinRoutes(service.operations, id) };
};

/** So many at once, of which more are refused than wait. */
function flood(request: () => Promise<{ status: number; headers: Headers }>) {
  const hashed: unknown[] = [];
  const answers = Array.from({ length: FLOOD }, async () => {
    const { status, headers } = await request();
    if (status === 429) expect(headers.get('retry-after')).toBe('1');
    else hashed.push(status);
    return status;
  });
  return { hashed, answers, first: Promise.race(answers) };
}

it('keeps nobody behind the PINs of a tenant that asks for more than there is room for', async () => {
  const [busy, other] = await Promise.all([withPin(), withPin()]);
  const { answers, hashed, first } = flood(busy.setPin);
  await first;
  const [verified, session, user] = await Promise.all([
    other.pins.verify(PIN),
    service.anonymous.post('/auth/login', { email: other.tenant.admin_email, password: PASSWORD }),
    other.tenant.api.post('/v1/users', { email: 'new@example.com', password: PASSWORD, role: 'member' }),
  ]);
  expect([verified.status, session.status, user.status]).toEqual([200, 200, 201]);
  expect(verified.body.verified).toBe(true);
  expect(hashed.length).toBeLessThan(MAX_WAITING / 2);
  const statuses = await Promise.all(answers);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(FLOOD - MAX_WAITING - 1);
});

it('keeps no PIN behind logins', async () => {
  const { pins } = await withPin();
  const { answers, hashed, first } = flood(() =>
    service.anonymous.post('/auth/login', {
      email: `${crypto.randomUUID()}@example.com`,
      password: PASSWORD,
    }),
  );
  await first;
  expect((await pins.verify(PIN)).body.verified).toBe(true);
  expect(hashed.length).toBeLessThan(MAX_WAITING / 2);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([401, 429]));
});
