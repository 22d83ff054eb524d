import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { createEndpoint, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const PATIENT = { timeout: 60_000, interval: 20 };

let test: TestService;
let endpoint: TestEndpoint;
let tries: number;
let isBroken: boolean;

beforeEach(async () => {
  test = await startTestService();
  endpoint = await createEndpoint(test, await test.createTenant());
  tries = 0;
  isBroken = true;
  test.runtimes.onMessage = async () => {
    tries += 1;
    if (isBroken) throw new Error('503');
  };
});
afterEach(() => test.stop());

const taken = () => test.runtimes.messages.map(({ message }) => message.message_id);
const setRuntime = (change: string) =>
  test.database.query(
    `update runtimes set ${change} where instance_id = (select instance_id from channel_endpoints where id = $1)`,
    [endpoint.id],
  );

/** A message failed so often that it waits for minutes. */
async function waitForLong(): Promise<void> {
  await sendMessages(test, endpoint, textMessage('first', 'Hello'));
  const failed = `update jobs set attempts = 9, due_at = now() + interval '4 minutes'
                  where kind = 'converse' and claim is null and attempts > 0 returning key`;
  await vi.waitFor(async () => expect(await test.database.query(failed)).toHaveLength(1), PATIENT);
  isBroken = false;
  await sendMessages(test, endpoint, textMessage('second', 'Are you there?'));
}

it.each([
  ['is up again', `phase = 'starting', address = null`, `phase = 'up', address = 'http://runtime.invalid/2'`],
  ['is well again', `phase = 'up', unready_since = now()`, 'unready_since = null'],
  [
    'was replaced',
    `phase = 'up', address = 'http://runtime.invalid/1'`,
    `address = 'http://runtime.invalid/2'`,
  ],
])('messages that failed go on once their runtime %s', async (_when, before, after) => {
  await setRuntime(before);
  await waitForLong();
  await setRuntime(after);
  await vi.waitFor(() => expect(taken()).toContain('first'), PATIENT);
});

it('a runtime that is up and does not take them is tried with the first pauses again', async () => {
  await setRuntime(`phase = 'starting', address = null`);
  await waitForLong();
  isBroken = true;
  const before = tries;
  await setRuntime(`phase = 'up', address = 'http://runtime.invalid/2'`);
  await vi.waitFor(() => expect(tries).toBeGreaterThan(before), PATIENT);
  const waiting = `select attempts from jobs where kind = 'converse' and claim is null`;
  await vi.waitFor(async () => {
    const [job] = await test.database.query<{ attempts: number }>(waiting);
    expect(job?.attempts).toBeLessThan(5);
  }, PATIENT);
});
