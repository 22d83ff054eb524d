import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { firstOf } from '../support/first-of.ts';
import { PATIENT_WAITS, startTestService, type TestService } from '../support/service.ts';
import {
  changeFor,
  createEndpoint,
  deliver,
  payloadOf,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

const AT_ONCE = 4;
const MAX_WAITING = 64;

let service: TestService;
let endpoint: TestEndpoint;
beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  endpoint = await createEndpoint(service, await service.createTenant());
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => service.stop());

const payload = (id: string, text: string) =>
  payloadOf(changeFor(endpoint.phone_number_id, textMessage(id, text)));
const sendLarge = (id: string, app_secret = endpoint.app_secret) =>
  deliver(service, payload(`large-${id}`, 'x'.repeat(65 * 1024)), app_secret);

it('few large payloads are parsed at once, few more may wait, and small ones go ahead of them', async () => {
  const { end } = await openTransaction(service.database.url, ['lock table channel_endpoints', []]);
  const parse = vi.spyOn(JSON, 'parse');
  const parsed = (id: string) => parse.mock.calls.filter(([text]) => text.includes(`"id":"${id}`)).length;
  const answers = Array.from({ length: AT_ONCE + MAX_WAITING + 3 }, (_, nth) => sendLarge(`${nth}`));
  const refused = await firstOf(answers, 3);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    Array.from({ length: 3 }, () => [503, '1']),
  );
  const small = deliver(service, payload('small', 'Hello'), endpoint.app_secret);
  await vi.waitFor(() => expect(parsed('small')).toBe(1), { timeout: 60_000 });
  expect(parsed('large')).toBe(AT_ONCE);
  await end('rollback');
  expect((await small).status).toBe(200);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(AT_ONCE + MAX_WAITING);
  expect(await storedMessages(service, endpoint)).toHaveLength(AT_ONCE + MAX_WAITING + 1);
});

it('refused large payloads release their permits', async () => {
  for (let nth = 0; nth <= AT_ONCE; nth++) {
    expect((await sendLarge('forged', 'another secret')).status).toBe(401);
  }
  expect((await sendLarge('signed')).status).toBe(200);
});
