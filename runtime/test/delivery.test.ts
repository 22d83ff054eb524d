import { expect, it } from 'vitest';
import { answerRoute, handoverRoute } from './support/fake-control-plane.ts';
import type { FakeReply } from './support/fake-server.ts';
import { accessToken, conversationId, phoneNumberId } from './support/ids.ts';
import { impatient, messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

const answersOf = ({ controlPlane }: TestRuntime) => controlPlane.to(answerRoute).map(({ body }) => body);

it('answers through the control plane, in reply to the message', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help');
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'answered' } });
  expect(answersOf(runtime)).toEqual([
    {
      text: expect.stringContaining('who can'),
      buttons: [{ id: 'say:talk to a human', title: 'Talk to a human' }],
      in_reply_to: message.message_id,
      tool_calls: [expect.objectContaining({ name: 'help', arguments: '{}' })],
    },
  ]);
});

it('answers without a token of the channel', async () => {
  const runtime = await startRuntime({ secrets: { connections: {} } });
  expect((await runtime.deliver(messageOf('help'))).body).toEqual({ status: 'answered' });
  expect(runtime.sendApi.seen).toEqual([]);
});

it('sends the sender token with every call for a message', async () => {
  const runtime = await startRuntime();
  const page = { status: 200, body: { staff: [], total: 0 } };
  runtime.controlPlane.routes.set('GET /staff', () => page);
  await runtime.deliver(messageOf('who can dance', undefined, { sender_token: 'token-1' }));
  await runtime.deliver(messageOf('talk to a human', undefined, { sender_token: 'token-2' }));
  expect(
    runtime.controlPlane.seen.map(({ path, senderToken }) => [path.split('/').at(-1), senderToken]),
  ).toEqual([
    ['customer-config', 'token-1'],
    ['check-required', 'token-1'],
    ['staff', 'token-1'],
    ['messages', 'token-1'],
    ['messages', 'token-2'],
    ['handover', 'token-2'],
  ]);
});

it('sends the stored answer to a copy with the token of that copy', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.script.push({ status: 401, body: { detail: 'The sender token has expired' } });
  const message = messageOf('help');
  expect((await runtime.deliver({ ...message, sender_token: 'expired' })).status).toBe(502);
  expect((await runtime.deliver({ ...message, sender_token: 'new' })).body).toEqual({ status: 'answered' });
  expect(runtime.controlPlane.to(answerRoute).map(({ senderToken }) => senderToken)).toEqual([
    'expired',
    'new',
  ]);
});

it('answers a text of a megabyte without parsing it', async () => {
  const runtime = await startRuntime();
  const answer = await runtime.deliver(messageOf(`help ${'\u{FDFA}'.repeat(350_000)}`));
  expect(answer).toMatchObject({ status: 200, body: { status: 'answered' } });
  expect(runtime.controlPlane.texts()).toEqual([expect.stringContaining('too long')]);
});

it('answers a message once', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help');
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'duplicate' } });
  expect(answersOf(runtime)).toHaveLength(1);
});

it('answers concurrent copies once, and both get the outcome', async () => {
  const runtime = await startRuntime();
  const message = messageOf('help');
  const answers = await Promise.all([runtime.deliver(message), runtime.deliver(message)]);
  expect(answers.map(({ body }) => body)).toEqual(
    expect.arrayContaining([{ status: 'answered' }, { status: 'duplicate' }]),
  );
  expect(answersOf(runtime)).toHaveLength(1);
});

it('fails both concurrent copies when the answer is refused', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.script.push({ status: 500 });
  const message = messageOf('help');
  const answers = await Promise.all([runtime.deliver(message), runtime.deliver(message)]);
  expect(answers.map(({ status }) => status)).toEqual([502, 502]);
  expect(answersOf(runtime)).toHaveLength(1);
});

const passing: [string, FakeReply][] = [
  ['500', { status: 500, body: { detail: 'secret inside' } }],
  ['503 with garbage', { status: 503, body: '<html>' }],
  ['429', { status: 429, body: { detail: 'Try later' } }],
  ['422', { status: 422, body: { detail: [] } }],
  ['a closed connection', 'drop'],
  ['silence', 'hang'],
];

it.each(passing)('asks for another copy when the control plane answers with %s', async (_name, reply) => {
  const runtime = await startRuntime(reply === 'hang' ? { timeouts: impatient } : {});
  runtime.controlPlane.script.push(reply);
  const message = messageOf('help');
  const failed = await runtime.deliver(message);
  expect(failed).toMatchObject({
    status: 502,
    body: { detail: 'The control plane did not take the answer' },
  });
  expect(runtime.logged()).toMatch(/"event":"answer_failed".*"status":/);
  expect(runtime.logged()).not.toContain('secret inside');
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(answersOf(runtime)[1]).toEqual(answersOf(runtime)[0]);
});

it('runs a command once, even if its answer is retried', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  runtime.controlPlane.script.push({ status: 500 }, { status: 503 });
  const message = messageOf('log 7.5 hours');
  const statuses = [];
  for (let copy = 0; copy < 3; copy += 1) statuses.push((await runtime.deliver(message)).status);
  expect(statuses).toEqual([502, 502, 200]);
  expect(runtime.controlPlane.to('POST /worker/me/timesheet')).toHaveLength(1);
  expect(runtime.controlPlane.texts()).toEqual([
    'Logged 7.5 hours on 2026-11-20. That day has 7.5 hours now.',
  ]);
});

it.each([
  [409, 'A person answers in this conversation'],
  [404, 'Conversation not found'],
])('treats %i as final', async (status, detail) => {
  const runtime = await startRuntime();
  runtime.controlPlane.script.push({ status, body: { detail } });
  const message = messageOf('help');
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'undeliverable' } });
  expect((await runtime.deliver(message)).body).toEqual({ status: 'duplicate' });
  expect(answersOf(runtime)).toHaveLength(1);
});

it.each(['', 'x'])('cuts a huge answer between characters, and says so (%j)', async (shift) => {
  const runtime = await startRuntime();
  const files = [{ name: `${shift}${'😀'.repeat(40_000)}\0` }];
  runtime.controlPlane.routes.set('GET /drive/search', () => ({ status: 200, body: { files } }));
  await runtime.deliver(messageOf('find smile'));
  const [text = ''] = runtime.controlPlane.texts();
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.length).toBeGreaterThan(60_000);
  expect(text.endsWith('(cut: the answer is too long)')).toBe(true);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain('\0');
});

it.each(['talk to a human', 'Can I speak with a real person, please?', 'HUMAN', 'get me an operator!'])(
  'hands over to a person at %j, after one sentence',
  async (text) => {
    const runtime = await startRuntime();
    const message = messageOf(text);
    expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
    // Not a reply: the question stays open for the person.
    expect(answersOf(runtime)).toEqual([
      {
        text: 'I am passing this on to a person, who will answer you here.',
        in_reply_to: null,
        idempotency_key: expect.stringMatching(/^handover:[0-9a-f]{64}$/),
        tool_calls: [expect.objectContaining({ name: 'talk_to_a_person', arguments: '{}' })],
      },
    ]);
    expect(runtime.controlPlane.to(handoverRoute).map(({ body }) => body)).toEqual([
      { reason: 'The sender asked for a person' },
    ]);
    const order = runtime.controlPlane.seen.slice(-2).map(({ path }) => path.split(conversationId)[1]);
    expect(order).toEqual(['/messages', '/handover']);
  },
);

it('asks for another copy when the handover fails, and repeats its sentence with the same key', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set(handoverRoute, () => ({ status: 500 }));
  const message = messageOf('talk to a human');
  expect((await runtime.deliver(message)).status).toBe(502);
  runtime.controlPlane.routes.set(handoverRoute, () => ({ status: 200, body: {} }));
  expect((await runtime.deliver(message)).body).toEqual({ status: 'answered' });
  expect(answersOf(runtime)[1]).toEqual(answersOf(runtime)[0]);
});

const silent = [
  'reaction',
  'revoked',
  'unsupported',
  'system',
  'permission',
  'welcome',
  'sticker',
  'of_next_year',
];

it.each(silent)('does not answer a message of the kind %s', async (kind) => {
  const runtime = await startRuntime();
  const message = messageOf(null, undefined, { kind });
  expect(await runtime.deliver(message)).toMatchObject({ status: 200, body: { status: 'ignored' } });
  expect(runtime.sendApi.seen).toEqual([]);
  expect(runtime.controlPlane.seen).toEqual([]);
});

it.each([
  ['audio', 'audio/ogg; codecs=opus', 'I cannot listen to voice notes here. Please write to me instead.'],
  ['image', 'image/jpeg', 'I cannot look at pictures here. Please write what it is about.'],
  ['video', 'video/mp4', 'I cannot open files or videos here. Please write what it is about.'],
  ['document', 'application/pdf', 'I cannot open files or videos here. Please write what it is about.'],
])('says that it cannot read a mere %s', async (kind, mime_type, text) => {
  const runtime = await startRuntime();
  await runtime.deliver(messageOf(null, undefined, { kind, media: [{ id: '1', mime_type, size: null }] }));
  expect(runtime.controlPlane.texts()).toEqual([text]);
});

it.each(['edit', 'image', 'nfm_reply', 'location'])(
  'answers the text of a message of the kind %s',
  async (kind) => {
    const runtime = await startRuntime();
    await runtime.deliver(messageOf('help', undefined, { kind }));
    expect(runtime.controlPlane.texts()).toEqual([expect.stringContaining('I can do this')]);
  },
);

it.each([[''], ['  \n']])('answers a message of %j with a hint that it reads only text', async (text) => {
  const runtime = await startRuntime();
  await runtime.deliver(messageOf(text));
  expect(runtime.controlPlane.texts()[0]).toContain('only read text');
});

it('sends a read receipt for the last message of a burst, and a typing indicator', async () => {
  const runtime = await startRuntime();
  await runtime.deliver(messageOf('help', undefined, { message_ids: ['wamid.a', 'wamid.b'] }));
  await expect.poll(() => runtime.sendApi.seen).toHaveLength(1);
  expect(runtime.sendApi.seen[0]).toMatchObject({
    method: 'POST',
    path: `/v23.0/${phoneNumberId}/messages`,
    authorization: `Bearer ${accessToken}`,
    body: {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: 'wamid.b',
      typing_indicator: { type: 'text' },
    },
  });
});

it.each<[string, FakeReply]>([
  ['refuses the receipt', { status: 400, body: { error: { code: 100 } } }],
  ['hangs up', 'drop'],
  ['is silent', 'hang'],
])('answers all the same when the channel %s', async (_name, reply) => {
  const runtime = await startRuntime();
  runtime.sendApi.script.push(reply);
  expect((await runtime.deliver(messageOf('help'))).body).toEqual({ status: 'answered' });
});

it('sends no read receipt in the playground', async () => {
  const runtime = await startRuntime();
  const tried = messageOf('help', undefined, { channel: 'playground' });
  expect((await runtime.deliver(tried)).body).toEqual({ status: 'answered' });
  const { message_id } = tried;
  await runtime.deliver(messageOf('help'));
  await expect.poll(() => runtime.sendApi.seen).not.toEqual([]);
  expect(runtime.sendApi.seen.map(({ body }) => body)).not.toContainEqual(
    expect.objectContaining({ message_id }),
  );
});
