import { afterEach, expect, it, vi } from 'vitest';
import { answer, conversationWith, createAgent, uniqueId, uniqueSender } from '../support/conversations.ts';
import { FakeSendApi } from '../support/send-api.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sendMessages, textMessage } from '../support/webhook.ts';

const MINUTES = 60_000;
const PATIENT = { timeout: 60_000, interval: 20 };

let test: TestService;
afterEach(async () => {
  vi.useRealTimers();
  await test.stop();
});

/** A copy on a machine whose clock is wrong. */
async function startAhead(byMs: number, given: Parameters<typeof startTestService>[0] = {}): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
  test = await startTestService({ ...given, clock: undefined });
}

async function offsetMs(): Promise<number> {
  const [row] = await test.database.query<{ now: Date }>('select clock_timestamp() as now');
  return Math.abs(test.service.services.clock().getTime() - (row?.now.getTime() ?? 0));
}

it.each([10 * MINUTES, -10 * MINUTES])('is the database’s on a machine that is %i ms ahead', async (byMs) => {
  await startAhead(byMs);
  expect(await offsetMs()).toBeLessThan(MINUTES);
  // The machine's clock is set.
  vi.setSystemTime(Date.now() - 3 * byMs);
  expect(await offsetMs()).toBeLessThan(MINUTES);
});

it('notes when a text was sent in time for other copies, which may have to send it again', async () => {
  const sendApi = new FakeSendApi();
  const chatapp_api_base_url = await sendApi.start();
  // Nothing is answered.
  sendApi.mood = () => true;
  await startAhead(10 * MINUTES, {
    settings: { chatapp_api_base_url },
  });
  const tenant = await test.createTenant();
  const agent = await createAgent(test, tenant);
  const sender = uniqueSender();
  await sendMessages(test, agent, textMessage(uniqueId(), 'hi', sender));
  const { id } = await conversationWith(tenant, agent, sender);
  await answer(test, agent, id, { text: 'hello', in_reply_to: null });
  const sending = `select abs(extract(epoch from now() - sending_at))::float as age
                   from channel_messages where sending_at is not null`;
  await vi.waitFor(async () => {
    const [row] = await test.database.query<{ age: number }>(sending);
    expect(row?.age).toBeLessThan(60);
  }, PATIENT);
  sendApi.stop();
});

it('lets recurring jobs come again by the database’s clock', async () => {
  await startAhead(10 * MINUTES);
  const waiting = `select extract(epoch from due_at - now())::float as due_in from jobs
                   where kind = 'chain_changes' and claim is null and run_at > '-infinity'`;
  await vi.waitFor(async () => {
    const [job] = await test.database.query<{ due_in: number }>(waiting);
    expect(job?.due_in).toBeLessThan(60);
  }, PATIENT);
});

it('still shows how far the machine’s own clock is off', async () => {
  await startAhead(10 * MINUTES);
  const metrics = await fetch(`${test.base_url}/metrics`).then((response) => response.text());
  expect(Number(/^acp_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(500);
});
