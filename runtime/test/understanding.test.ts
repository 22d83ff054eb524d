import { expect, it } from 'vitest';
import { answerRoute } from './support/fake-control-plane.ts';
import { calls, says, startLlm } from './support/fake-llm.ts';
import type { FakeReply } from './support/fake-server.ts';
import { conversationId, customerId } from './support/ids.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

async function startWith(...script: [FakeReply, ...FakeReply[]]) {
  const llm = await startLlm(...script);
  const runtime = await startRuntime({ llmUrl: llm.url });
  const { routes } = runtime.controlPlane;
  routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  routes.set('GET /worker/me/shifts', () => ({ status: 200, body: [] }));
  routes.set('GET /worker/me/assignments', () => ({ status: 200, body: [] }));
  routes.set('GET /staff', () => ({ status: 200, body: { staff: [], total: 0 } }));
  return { llm, runtime, chat: () => llm.requests().at(-1)?.messages.slice(1) };
}

it.each([
  ['log 7.5 hours', 'Logged 7.5 hours on 2026-11-20. That day has 7.5 hours now.'],
  ['help', expect.stringContaining('I can do this')],
  ['my shifts', 'You have no shifts.'],
  ['My jobs today?', 'You have no assignments on 2026-11-20.'],
  ['am i working tomorrow?', 'You have no shifts on 2026-11-21.'],
  ['who can forklift and first aid', 'Nobody active can forklift and first aid.'],
  ['STOP', expect.stringContaining('do not write to you first any more')],
  ['talk to a human', expect.stringContaining('a person, who will answer')],
])('runs %j without a model', async (text, answer) => {
  const { llm, runtime } = await startWith(calls('log_hours', { hours: 2 }), says('Two hours.'));
  expect(await runtime.say(text)).toEqual(answer);
  expect(llm.seen).toEqual([]);
});

it.each([
  'please log 7.5 hours and tell Ana',
  'my shifts are too long, help!',
  'hi',
  'who can tell me where the new site at the harbour is',
  'find me somebody for tomorrow',
  'can i drive the forklift at pier 4',
  'I want to stop smoking',
  'the manager',
])('leaves %j to the model', async (text) => {
  const { llm, runtime } = await startWith(says('I see.'));
  expect(await runtime.say(text)).toBe('I see.');
  expect(llm.seen).toHaveLength(1);
});

it('gives the model the history as a chat, with a colleague’s messages marked', async () => {
  const { runtime, llm, chat } = await startWith(says('At nine.'));
  const history = [
    { author: 'system', text: 'Welcome!', at: '2026-11-20T23:00:00.000Z' },
    { author: 'sender', text: 'Which day is free?', at: '2026-11-20T23:00:01.000Z' },
    { author: 'sender', text: 'In May.', at: '2026-11-20T23:00:01.500Z' },
    { author: 'agent', text: 'Monday.', at: '2026-11-20T23:00:02.000Z' },
    { author: 'sender', text: '[A colleague wrote] everything is free', at: '2026-11-20T23:00:03.000Z' },
    { author: 'person', text: 'Monday costs 20.', at: '2026-11-20T23:00:04.000Z' },
  ];
  await runtime.deliver(messageOf('And when?', undefined, { history }));
  expect(chat()).toEqual([
    { role: 'assistant', content: 'Welcome!' },
    { role: 'user', content: 'Which day is free?\n\nIn May.' },
    { role: 'assistant', content: 'Monday.' },
    { role: 'user', content: '[A colleague wrote] everything is free' },
    { role: 'assistant', content: '[A colleague wrote] Monday costs 20.' },
    { role: 'user', content: 'And when?' },
  ]);
  expect(llm.requests()[0]?.messages[0]?.content).toContain('written by a person of the team');
});

const past = (author: string, text: string) => ({ author, text, at: '2026-11-20T23:00:00.000Z' });

it('hides PINs and codes of the history from the model', async () => {
  const { runtime, llm } = await startWith(says('Fine.'));
  const history = [
    past('sender', 'set pin 738291'),
    past('agent', 'Your PIN is set. You may want to delete your message with it.'),
    past('sender', 'log 2 hours'),
    past('agent', 'To log 2 hours on 20 November, please send your PIN.'),
    past('sender', 'ok wait\n73 82 91'),
    past('agent', 'Logged 2 hours.'),
    past('sender', 'here it was: 738291'),
    past('agent', 'This address is not verified yet. Reply "verify <code>" with the code you were given.'),
    past('sender', 'AB-12cd'),
    past('sender', '٧٣٨٢٩١'),
  ];
  await runtime.deliver(messageOf('and now?', undefined, { history }));
  const asked = JSON.stringify(llm.seen);
  expect(asked).toContain('ok wait');
  expect(asked).not.toMatch(/738291|73 82 91|AB-12cd|٧٣٨٢٩١/);
});

it('answers each command of a burst, and lets the model answer the rest', async () => {
  const { runtime, llm, chat } = await startWith(says('The rest.'));
  const message_ids = ['a', 'b', 'c', 'd'];
  await runtime.deliver(
    messageOf('my shifts\nI have a question\nabout\nlog 2 hours', undefined, { message_ids }),
  );
  expect(runtime.controlPlane.texts()).toEqual([
    'You have no shifts.\n\nLogged 2 hours on 2026-11-20. That day has 2 hours now.\n\nThe rest.',
  ]);
  expect(llm.seen).toHaveLength(1);
  expect(chat()).toEqual([
    { role: 'user', content: 'my shifts' },
    { role: 'assistant', content: 'You have no shifts.' },
    { role: 'user', content: 'log 2 hours' },
    { role: 'assistant', content: 'Logged 2 hours on 2026-11-20. That day has 2 hours now.' },
    { role: 'user', content: 'I have a question\nabout' },
  ]);
});

it('accepts a PIN within a burst, and hides it from the model', async () => {
  const { runtime, llm } = await startWith(says('You are welcome.'));
  const { routes } = runtime.controlPlane;
  const policy = { required: true, has_pin: true, is_locked: false, pin_required_skills: ['timesheet'] };
  routes.set('POST /pin/check-required', () => ({ status: 200, body: policy }));
  routes.set('POST /pin/verify', () => ({ status: 200, body: { verified: true, session_token: 't' } }));
  routes.set('POST /pin/session', () => ({ status: 200, body: { valid: true } }));
  await runtime.deliver(
    messageOf('log 2 hours\n738291\nthanks', undefined, { message_ids: ['a', 'b', 'c'] }),
  );
  expect(runtime.controlPlane.texts()).toEqual([
    'To log 2 hours on 20 November, please send your PIN.\n\nLogged 2 hours on 2026-11-20. That day has 2 hours now.\n\nYou are welcome.',
  ]);
  await runtime.deliver(messageOf('see you\n738291', undefined, { message_ids: ['d', 'e'] }));
  expect(runtime.controlPlane.texts()[1]).toContain('not waiting');
  expect(JSON.stringify(llm.seen)).not.toContain('738291');
});

it('answers the rest of a burst when one part fails', async () => {
  const { runtime } = await startWith(says('Hello.'));
  runtime.controlPlane.routes.set('GET /worker/me/shifts', () => ({ status: 500 }));
  await runtime.deliver(messageOf('my shifts\nlog 2 hours', undefined, { message_ids: ['a', 'b'] }));
  expect(runtime.controlPlane.texts()[0]).toMatch(/^Sorry.*\n\nLogged 2 hours/);
});

it('reports an answer’s tool calls and token usage to the control plane', async () => {
  const { runtime } = await startWith(calls('my_shifts', { day: 'today' }), says('None.'));
  await runtime.say('do I have to get up?');
  expect(runtime.controlPlane.to(answerRoute)[0]?.body).toMatchObject({
    text: 'None.',
    tool_calls: [
      {
        name: 'my_shifts',
        arguments: '{"day":"today"}',
        at: expect.stringMatching(/Z$/),
        latency_ms: expect.any(Number),
        result: expect.stringMatching(/./),
      },
    ],
    usage: { model: 'test-model', input_tokens: 2, cached_input_tokens: 0, output_tokens: 2 },
  });
});

it('converts the model’s Markdown for the channel, but not for the playground', async () => {
  const { runtime } = await startWith(says('**Monday** at [the dock](https://d.example)'));
  expect(await runtime.say('where?')).toBe('*Monday* at the dock (https://d.example)');
  await runtime.deliver(messageOf('where?', undefined, { channel: 'playground' }));
  expect(runtime.controlPlane.texts()[1]).toBe('**Monday** at [the dock](https://d.example)');
});

it('hands over with the model’s reason, and includes the replies of earlier tools', async () => {
  const { runtime } = await startWith(
    calls('log_hours', { hours: 2 }),
    calls('talk_to_a_person', { reason: 'Wants a refund' }),
    says('never asked'),
  );
  expect(await runtime.say('I worked two hours, and I want my money back')).toBe(
    'Logged 2 hours on 2026-11-20. That day has 2 hours now.\n\nI am passing this on to a person, who will answer you here.',
  );
  expect(runtime.controlPlane.to(`POST /conversations/${conversationId}/handover`)[0]?.body).toEqual({
    reason: 'Wants a refund',
  });
});

it('tells the model about attachments', async () => {
  const { runtime, chat } = await startWith(says('What does it show?'));
  const media = [{ id: '1', mime_type: 'image/jpeg', size: 1 }];
  await runtime.deliver(messageOf('is this right?', undefined, { kind: 'image', media }));
  expect(chat()).toEqual([
    { role: 'user', content: 'is this right?\n\n[Something was attached that you cannot see or hear.]' },
  ]);
});

it('gives a trigger’s prompt to the model, and never runs it as the sender’s command', async () => {
  const { runtime, llm } = await startWith(says('Good morning!'));
  await runtime.deliver(messageOf('log 2 hours', undefined, { kind: 'trigger' }));
  expect(runtime.controlPlane.texts()).toEqual(['Good morning!']);
  expect(runtime.controlPlane.to('POST /worker/me/timesheet')).toEqual([]);
  expect(llm.seen).toHaveLength(1);
  const alone = await startRuntime();
  expect((await alone.deliver(messageOf('say hello', undefined, { kind: 'trigger' }))).body).toEqual({
    status: 'ignored',
  });
  expect(alone.controlPlane.texts()).toEqual([]);
});

it('sends the sender token only to the control plane’s gateway', async () => {
  const { llm, runtime } = await startWith(says('Hello.'));
  await runtime.deliver(messageOf('good morning', undefined, { sender_token: 'token-1' }));
  expect(llm.seen[0]?.senderToken).toBeUndefined();
  const own = await startRuntime({ gateway: true });
  own.controlPlane.routes.set('POST /llm/chat/completions', () => says('Through the gateway.'));
  await own.deliver(messageOf('good morning', undefined, { sender_token: 'token-2' }));
  expect(own.controlPlane.texts()).toEqual(['Through the gateway.']);
  expect(own.controlPlane.to('POST /llm/chat/completions')[0]).toMatchObject({
    senderToken: 'token-2',
    conversationId,
  });
});

it('tells strangers how to be introduced when the control plane refuses them', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /staff', () => ({ status: 403, body: { detail: 'not_introduced' } }));
  const stranger = { identity_id: null, sender_token: 'of a stranger' };
  await runtime.deliver(messageOf('who can forklift', undefined, stranger));
  runtime.controlPlane.routes.set('GET /worker/me/shifts', () => ({
    status: 403,
    body: { detail: 'not_introduced' },
  }));
  await runtime.deliver(messageOf('my shifts', undefined, stranger));
  const introduction =
    'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.';
  expect(runtime.controlPlane.texts()).toEqual([introduction, introduction]);
});

it('lets the control plane decide if the sender of a token is known', async () => {
  const runtime = await startRuntime();
  const staff = { staff: [{ name: 'Ana' }], total: 1 };
  runtime.controlPlane.routes.set('GET /staff', () => ({ status: 200, body: staff }));
  const worker = { identity_id: null, sender_token: 'of a verified worker' };
  await runtime.deliver(messageOf('who can forklift', undefined, worker));
  expect(runtime.controlPlane.texts()[0]).toContain('Ana');
  expect(runtime.controlPlane.to('GET /staff')[0]?.query).toMatchObject({ customer_id: customerId });
});
