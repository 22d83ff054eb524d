import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { createCustomer } from '../support/customers.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { createEndpoint, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const WRITERS = 40;
const BUSY = { status: 503, body: { detail: 'The database is busy' } };

let service: TestService;
let tenant: TestTenant;
let other: TestTenant;
let crew: Crew;
let endpoint: TestEndpoint;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant('Held up');
  other = await service.createTenant('Other');
  crew = await Crew.gather(service, tenant);
  endpoint = await createEndpoint(service, tenant);
});
afterAll(() => service.stop());

/** A maintenance script locks a table while many requests write to it. */
async function whileHeld(work: () => Promise<void>) {
  const held = await openTransaction(service.database.url, ['lock table shifts', []]);
  const person = await service.database.query<{ id: string }>('select id from staff limit 1');
  const shift = {
    person_id: person[0]?.id,
    starts_at: '2026-01-01T08:00:00Z',
    ends_at: '2026-01-01T16:00:00Z',
  };
  const writes = Array.from({ length: WRITERS }, () =>
    tenant.api.post(`${crew.customer_path}/shifts`, shift),
  );
  try {
    await work();
    return await Promise.all(writes);
  } finally {
    await held.end('commit');
    await Promise.all(writes);
  }
}

it('while a table is locked, requests for other tables succeed and waiting ones get 503', async () => {
  await crew.add({ name: 'Ada' });
  const answers = await whileHeld(async () => {
    for (let turn = 0; turn < 5; turn++) {
      for (const of of [tenant, other]) {
        await createCustomer(of);
        expect(await of.api.get('/v1/customers')).toMatchObject({ status: 200 });
      }
      const message = textMessage(`held-${turn}`, 'Hello');
      expect(await sendMessages(service, endpoint, message)).toMatchObject({ status: 200 });
      expect(await service.anonymous.get('/readyz')).toMatchObject({
        status: 200,
        body: { checks: { database: expect.stringMatching(/ok|busy/) } },
      });
    }
  });
  // While the lock is held.
  expect(answers).toEqual(answers.map(() => expect.objectContaining(BUSY)));
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(answers.map(() => '1'));
});
