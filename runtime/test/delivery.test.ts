import { expect, it } from 'vitest';
import { sentOf } from './support/fake-send-api.ts';
import type { Said } from './support/fake-server.ts';
import { accessToken, phoneNumberId } from './support/ids.ts';
import { impatient, messageOf, startRuntime } from './support/runtime.ts';

it('answers in the channel with the token of the customer', async () => {
  const runtime = await startRuntime();
  const answer = await runtime.deliver(messageOf('help', '61400000001'));
  expect(answer).toMatchObject({ status: 200, body: { status: 'answered' } });
  const [seen] = runtime.sendApi.seen;
  expect(seen).toMatchObject({
    method: 'POST',
    path: `/v23.0/${phoneNumberId}/messages`,
    authorization: `Bearer ${accessToken}`,
    body: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '61400000001',
      type: 'text',
      text: { body: expect.stringContaining('who can') },
    },
  });
  expect(seen?.body).not.toHaveProperty('recipient');
});

it('answers a sender without a phone number by the id', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help', 'AU.13491208655302741918');
  Reflect.deleteProperty(message.raw.message, 'from');
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(runtime.sendApi.seen[0]?.body).toMatchObject({ recipient: 'AU.13491208655302741918' });
  expect(runtime.sendApi.seen[0]?.body).not.toHaveProperty('to');
});

it('answers a text of a megabyte without parsing it', async () => {
  const runtime = await startRuntime();
  const answer = await runtime.deliver(messageOf(`help ${'\u{FDFA}'.repeat(350_000)}`));
  expect(answer).toMatchObject({ status: 200, body: { status: 'answered' } });
  expect(runtime.sendApi.texts()).toEqual([expect.stringContaining('too long')]);
});

it('answers a message once', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help');
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'duplicate' } });
  expect(runtime.sendApi.seen).toHaveLength(1);
});

it('answers concurrent copies once, and both get the outcome', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help');
  const answers = await Promise.all([runtime.deliver(message), runtime.deliver(message)]);
  expect(answers.map(({ body }) => body)).toEqual(
    expect.arrayContaining([{ status: 'answered' }, { status: 'duplicate' }]),
  );
  expect(runtime.sendApi.seen).toHaveLength(1);
});

it('fails both of two concurrent copies when the send fails', async () => {
  const runtime = await startRuntime();
  runtime.sendApi.script.push({ status: 500 });
  const message = messageOf('help');
  const answers = await Promise.all([runtime.deliver(message), runtime.deliver(message)]);
  expect(answers.map(({ status }) => status)).toEqual([502, 502]);
  expect(runtime.sendApi.seen).toHaveLength(1);
});

const passing: [string, Said][] = [
  ['500', { status: 500, body: { error: { message: 'secret inside' } } }],
  ['503 with garbage', { status: 503, body: '<html>' }],
  ['429', { status: 429, body: { error: { code: 130_429 } } }],
  ['silence', 'hang'],
];

it.each(passing)('answers 502 for another copy when the send API answers with %s', async (_name, said) => {
  const runtime = await startRuntime(said === 'hang' ? { timeouts: impatient } : {});
  runtime.sendApi.script.push(said);
  const message = messageOf('help');
  const failed = await runtime.deliver(message);
  const reason = said === 'hang' ? '"status":0,"reason":"TimeoutError"' : '"status":';
  expect(runtime.logged()).toMatch(new RegExp(`"event":"send_failed".*${reason}`));
  expect(failed).toMatchObject({ status: 502, body: { detail: 'The answer could not be delivered' } });
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(runtime.sendApi.texts()).toHaveLength(1);
});

it('runs a command once although its delivery is retried', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  runtime.sendApi.script.push({ status: 500 }, { status: 500 });
  const message = messageOf('log 7.5 hours');
  const statuses = [];
  for (let copy = 0; copy < 3; copy += 1) statuses.push((await runtime.deliver(message)).status);
  expect(statuses).toEqual([502, 502, 200]);
  expect(runtime.controlPlane.to('POST /worker/me/timesheet')).toHaveLength(1);
  expect(runtime.sendApi.texts()).toEqual(['Logged 7.5 hours on 2026-11-20.']);
});

it('accepts a message whose sender belongs to no customer, so that it is not retried for a day', async () => {
  const runtime = await startRuntime();
  const message = { ...messageOf('help'), customer_id: null };
  expect(await runtime.deliver(message as never)).toMatchObject({
    status: 200,
    body: { status: 'undeliverable' },
  });
  expect(runtime.sendApi.texts()).toEqual([]);
});

it.each([400, 401, 404])('does not retry a message that the send API refuses with %i', async (status) => {
  const runtime = await startRuntime();
  runtime.sendApi.script.push({ status, body: { error: { message: 'quotes +61400000001', code: 131_026 } } });
  const message = messageOf('help', '61400000001');
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'undeliverable' } });
  expect((await runtime.deliver(message)).body).toEqual({ status: 'duplicate' });
  expect(runtime.logged()).toContain(`"event":"undeliverable","message_id":"${message.message_id}"`);
  expect(runtime.logged()).not.toContain('61400000001');
});

it.each(['', 'x'])(
  'cuts an answer to 4096 characters without splitting one, and says so (%j)',
  async (shift) => {
    const runtime = await startRuntime();
    const files = [{ name: shift + '😀'.repeat(3000) }];
    runtime.controlPlane.routes.set('GET /drive/search', () => ({ status: 200, body: { files } }));
    await runtime.deliver(messageOf('find smile'));
    const { body } = sentOf(runtime.sendApi.seen[0] ?? expect.fail('nothing was sent')).text;
    expect(body.length).toBeLessThanOrEqual(4096);
    expect(body.length).toBeGreaterThan(4090);
    expect(body.endsWith('(cut: the answer is too long for one message)')).toBe(true);
    expect(body.isWellFormed()).toBe(true);
  },
);

it.each(['reaction', 'system'])('ignores a %s', async (type) => {
  const runtime = await startRuntime();
  const message = messageOf(null);
  message.raw.message.type = type;
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'ignored' } });
  expect(runtime.sendApi.seen).toEqual([]);
  expect(runtime.controlPlane.seen).toEqual([]);
});

it.each([[null], [''], ['  \n']])(
  'answers a message of %j with a hint that it reads only text',
  async (text) => {
    const runtime = await startRuntime();
    await runtime.deliver(messageOf(text));
    expect(runtime.sendApi.texts()[0]).toContain('only read text');
  },
);
