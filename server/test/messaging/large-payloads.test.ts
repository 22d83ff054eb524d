import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { firstOf } from '../support/first-of.ts';
import { startTestService, type TestService } from '../support/service.ts';
import {
  changeFor,
  createEndpoint,
  deliver,
  payloadOf,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

const AT_ONCE = 2;
const MAX_WAITING = 20;
const WAIT = { timeout: 60_000 };

let service: TestService;
let endpoint: TestEndpoint;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  endpoint = await createEndpoint(service, await service.createTenant());
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => service.stop());

/** 33 KiB and more. */
const large = (id: string, phone_number_id = endpoint.phone_number_id) =>
  payloadOf(changeFor(phone_number_id, textMessage(id, 'x'.repeat(33 * 1024))));

it('few large payloads are read at once, few more may wait, and small ones go ahead of them', async () => {
  const { end } = await openTransaction(service.database.url, ['lock table channel_endpoints', []]);
  const find = vi.spyOn(service.service.services.signingEndpoints, 'find');
  const answers = Array.from({ length: AT_ONCE + MAX_WAITING + 3 }, (_, nth) =>
    deliver(service, large(`${nth}`), endpoint.app_secret),
  );
  const refused = await firstOf(answers, 3);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    Array.from({ length: 3 }, () => [503, '1']),
  );
  const small = deliver(
    service,
    payloadOf(changeFor(endpoint.phone_number_id, textMessage('small', 'Hello'))),
    endpoint.app_secret,
  );
  await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(AT_ONCE + 1), WAIT);
  await end('rollback');
  expect((await small).status).toBe(200);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(AT_ONCE + MAX_WAITING);
  expect(await storedMessages(service, endpoint)).toHaveLength(AT_ONCE + MAX_WAITING + 1);
});

it('a large payload waits for nobody’s whose signer is looked for among all', async () => {
  const search = new EventEmitter();
  const isAnyones = vi.spyOn(service.service.services.signingEndpoints, 'isAnyones');
  const ended = once(search, 'ended');
  isAnyones.mockImplementation(() => ended.then(() => false));
  const unnamed = Array.from({ length: AT_ONCE }, () => deliver(service, large('1', 'nobody'), 'a secret'));
  await vi.waitFor(() => expect(isAnyones).toHaveBeenCalledTimes(AT_ONCE), WAIT);
  expect((await deliver(service, large('meanwhile'), endpoint.app_secret)).status).toBe(200);
  search.emit('ended');
  expect((await Promise.all(unnamed)).map(({ status }) => status)).toEqual(unnamed.map(() => 401));
});

it('what is refused of large payloads leaves room for the next', async () => {
  for (let nth = 0; nth <= AT_ONCE; nth++) {
    expect((await deliver(service, large('forged'), 'another secret')).status).toBe(401);
  }
  expect((await deliver(service, large('signed'), endpoint.app_secret)).status).toBe(200);
});
