import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Hasher, HashFor } from '../../src/access/hasher.port.ts';
import { rateLimited } from '../../src/platform/errors.ts';
import { plainHasher } from '../support/fakes.ts';
import { insertInstance } from '../support/instances.ts';
import { PinRoutes } from '../support/pins.ts';
import { PASSWORD, startTestService, type TestService } from '../support/service.ts';

// adapters/argon2-hasher.test.ts tests the order of waiting hashes.

const PIN = '1234';

class RecordingHasher implements Hasher {
  computedFor: HashFor[] = [];
  refusal: Error | undefined;

  hash(plaintext: string, whom: HashFor) {
    this.#record(whom);
    return plainHasher.hash(plaintext);
  }
  verify(hash: string, plaintext: string, whom: HashFor) {
    this.#record(whom);
    return plainHasher.verify(hash, plaintext);
  }
  verifyEach(hashes: readonly string[], plaintext: string, whom: HashFor) {
    this.#record(whom);
    return plainHasher.verifyEach(hashes, plaintext);
  }
  #record(whom: HashFor) {
    if (this.refusal) throw this.refusal;
    this.computedFor.push(whom);
  }
}

const hasher = new RecordingHasher();
let service: TestService;
beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ hasher, runsJobs: false, forwardedForProxies });
});
afterAll(() => service.stop());

async function requests() {
  const { tenant_id, admin_email, api } = await service.createTenant();
  const { id, customer_id } = await insertInstance(service, tenant_id);
  const from = service.anonymous.with({ 'x-forwarded-for': '192.0.2.7' });
  await api.post(`/v1/customers/${customer_id}/pin`, { pin: PIN });
  hasher.computedFor = [];
  return {
    tenant_id,
    setPin: () => api.post(`/v1/customers/${customer_id}/pin`, { pin: PIN }),
    verifyPin: () => new PinRoutes(service.operations, id).verify(PIN),
    addUser: () => api.post('/v1/users', { email: `new-${admin_email}`, password: PASSWORD, role: 'member' }),
    logIn: () => from.post('/auth/login', { email: admin_email, password: PASSWORD }),
  };
}

it('queues hashes of PINs by tenant, of logins by address', async () => {
  const { tenant_id, setPin, verifyPin, addUser, logIn } = await requests();
  const answers = [await setPin(), await verifyPin(), await addUser(), await logIn()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
  const tenant = { tenant_id };
  expect(hasher.computedFor).toEqual([tenant, tenant, tenant, { address: '192.0.2.7' }]);
});

it('answers 429 with Retry-After when too many hashes wait', async () => {
  const { setPin, verifyPin, addUser, logIn } = await requests();
  hasher.refusal = rateLimited(1, 'Too many verifications at once; try again');
  for (const request of [setPin, verifyPin, addUser, logIn]) {
    const { status, headers } = await request();
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  }
});
