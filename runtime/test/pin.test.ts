import { beforeEach, expect, it } from 'vitest';
import type { FakeReply } from './support/fake-server.ts';
import { customerId, identityId } from './support/ids.ts';
import { messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

const pin = '738291';
const ask = 'To log 7.5 hours on 20 November, please send your PIN.';
const introduction =
  'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.';
const logged = 'Logged 7.5 hours on 2026-11-20. That day has 7.5 hours now.';

let runtime: TestRuntime;
let policy: object;
let verification: FakeReply;
let session: FakeReply;

const hoursLogged = () => runtime.controlPlane.to('POST /worker/me/timesheet').length;
const right = { verified: true, session_token: 'session-token-1', session_ttl_minutes: 15 };
const wrong = (error: string, remaining_attempts: number): FakeReply => ({
  status: 200,
  body: { verified: false, session_token: null, error, remaining_attempts },
});
const refusing = (detail: string) => (): FakeReply => ({ status: 403, body: { detail } });

beforeEach(async () => {
  runtime = await startRuntime();
  policy = { required: true, has_pin: true, is_locked: false, pin_required_skills: ['timesheet'] };
  verification = { status: 200, body: right };
  session = { status: 200, body: { valid: true, expires_at: '2026-11-20T23:45:00.000Z' } };
  const { routes } = runtime.controlPlane;
  routes.set('POST /pin/check-required', () => ({ status: 200, body: { pin_applies_to: 'all', ...policy } }));
  routes.set('POST /pin/verify', () => verification);
  routes.set('POST /pin/session', () => session);
  routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  routes.set('GET /worker/me/shifts', () => ({ status: 200, body: [] }));
});

it('asks for the PIN, verifies it and then runs the command', async () => {
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
  expect(hoursLogged()).toBe(0);
  expect(await runtime.say(pin)).toBe(logged);
  expect(hoursLogged()).toBe(1);
  const ids = { customer_id: customerId, identity_id: identityId };
  expect(runtime.controlPlane.to('POST /pin/check-required')[0]).toMatchObject({ query: ids, body: ids });
  expect(runtime.controlPlane.to('POST /pin/verify').map(({ body }) => body)).toEqual([
    { pin, ...ids, purpose: 'timesheet' },
  ]);
  expect(runtime.controlPlane.to('POST /pin/session').map(({ body }) => body)).toEqual([
    { session_token: 'session-token-1', purpose: 'timesheet' },
  ]);
  expect(runtime.logged()).not.toContain(pin);
  expect(runtime.logged()).not.toContain('session-token-1');
});

it('tells a sender without an identity how to be introduced, instead of asking for a PIN', async () => {
  const stranger = async (text: string) => {
    await runtime.deliver(messageOf(text, undefined, { identity_id: null }));
    return runtime.controlPlane.texts().at(-1);
  };
  expect(await stranger('log 7.5 hours')).toBe(introduction);
  expect(runtime.controlPlane.to('POST /pin/check-required')[0]?.query).toEqual({ customer_id: customerId });
  expect(await stranger(pin)).toContain('not waiting');
  policy = { ...policy, is_locked: true };
  expect(await stranger('log 7.5 hours')).toBe(introduction);
  expect(runtime.controlPlane.to('POST /pin/verify')).toEqual([]);
  expect(hoursLogged()).toBe(0);
});

it.each([
  ['log 8 hours on 2027-01-02 for painting', 'log 8 hours on 2 January 2027 for painting'],
  ['who can forklift and first aid', 'see who can forklift and first aid'],
  ['find price list', 'search the files for price list'],
  ['my certs', 'see your certs'],
])('describes %j in the question for the PIN', async (text, action) => {
  policy = { ...policy, pin_required_skills: ['timesheet', 'staff_query', 'drive_search', 'worker_shifts'] };
  expect(await runtime.say(text)).toBe(`To ${action}, please send your PIN.`);
});

it('sends the session only with calls of its skill', async () => {
  policy = { ...policy, pin_required_skills: ['timesheet', 'worker_shifts'] };
  await runtime.say('log 7.5 hours');
  await runtime.say(pin);
  const sessionsSent = (route: string) => runtime.controlPlane.to(route).map((seen) => seen.pinSession);
  expect(sessionsSent('POST /worker/me/timesheet')).toEqual(['session-token-1']);
  expect(await runtime.say('my shifts')).toBe('To see your shifts, please send your PIN.');
  verification = { status: 200, body: { ...right, session_token: 'session-token-2' } };
  expect(await runtime.say(pin)).toBe('You have no shifts.');
  expect(sessionsSent('GET /worker/me/shifts')).toEqual(['session-token-2']);
  expect(runtime.controlPlane.to('POST /pin/verify').at(-1)?.body).toMatchObject({
    purpose: 'worker_shifts',
  });
});

it('asks for the PIN when the control plane refuses a command without one, and repeats it', async () => {
  policy = { ...policy, pin_required_skills: [] };
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', (seen) =>
    seen.pinSession === 'session-token-1' ? { status: 201, body: {} } : refusing('pin_required')(),
  );
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
  expect(await runtime.say(pin)).toBe(logged);
  expect(await runtime.say('log 7.5 hours')).toBe(logged);
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', refusing('pin_required'));
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
  expect(await runtime.say(pin)).toBe(ask);
  await runtime.deliver(messageOf('log 7.5 hours', undefined, { identity_id: null }));
  expect(runtime.controlPlane.texts().at(-1)).toBe(introduction);
});

it('says how to set a PIN when the control plane requires one', async () => {
  policy = { ...policy, required: false, has_pin: false };
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusing('pin_not_set'));
  expect(await runtime.say('my shifts')).toContain('Send "set pin <4 to 12 digits>"');
  expect(await runtime.say(pin)).toContain('not waiting');
});

it('does not ask again during the session, which it checks before each use', async () => {
  await runtime.say('log 7.5 hours');
  await runtime.say(pin);
  expect(await runtime.say('log 7.5 hours')).toBe(logged);
  expect(runtime.controlPlane.to('POST /pin/session')).toHaveLength(2);
  expect(await runtime.say('log 7.5 hours', '61400000002')).toBe(ask);
  runtime.advance(15 * 60_000 + 1);
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
});

it('asks again when the control plane has ended the session', async () => {
  await runtime.say('log 7.5 hours');
  await runtime.say(pin);
  session = { status: 200, body: { valid: false, expires_at: null } };
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
  session = { status: 200, body: { valid: true } };
  expect(await runtime.say('log 7.5 hours')).toBe(ask);
  expect(hoursLogged()).toBe(1);
});

it.each([
  ['another skill', { pin_required_skills: ['staff_query'] }],
  ['nobody', { required: false }],
])('does not ask for the PIN when it is for %s', async (_name, change) => {
  policy = { ...policy, ...change };
  expect(await runtime.say('log 7.5 hours')).toBe(logged);
  expect(await runtime.say(pin)).toContain('not waiting');
});

it('asks for no PIN for tools without a skill', async () => {
  expect(await runtime.say('help')).toContain('I can do this');
  expect(runtime.controlPlane.to('POST /pin/check-required')).toEqual([]);
});

it('asks for the PIN alone when a message has more text', async () => {
  await runtime.say('log 7.5 hours');
  expect(await runtime.say(`here you go: ${pin} ok?`)).toBe(
    'Please send the PIN alone, in the digits 0 to 9.',
  );
  expect(runtime.controlPlane.to('POST /pin/verify')).toEqual([]);
  expect(await runtime.say(pin)).toBe(logged);
});

it('says how many attempts are left and keeps the command', async () => {
  await runtime.say('log 7.5 hours');
  verification = wrong('pin_invalid', 3);
  expect(await runtime.say('0000')).toBe('That PIN is not right. Attempts left: 3. Please send it again.');
  verification = { status: 200, body: right };
  expect(await runtime.say(pin)).toBe(logged);
});

it.each([
  ['pin_locked', 0, /locked/],
  ['pin_invalid', 0, /not right.*locked/],
  ['pin_not_set', 5, /set pin/],
])('drops the command at %s with %i left', async (error, left, text) => {
  await runtime.say('log 7.5 hours');
  verification = wrong(error, left);
  expect(await runtime.say(pin)).toMatch(text);
  verification = { status: 200, body: right };
  expect(await runtime.say(pin)).toContain('not waiting');
  expect(hoursLogged()).toBe(0);
});

it('reports a locked PIN at once', async () => {
  policy = { ...policy, is_locked: true };
  expect(await runtime.say('log 7.5 hours')).toContain('locked');
  expect(await runtime.say(pin)).toContain('not waiting');
});

it('waits five minutes for the PIN', async () => {
  await runtime.say('log 7.5 hours');
  runtime.advance(5 * 60_000);
  verification = wrong('pin_invalid', 4);
  expect(await runtime.say(pin)).toContain('Attempts left');
  runtime.advance(5 * 60_000 + 1);
  expect(await runtime.say(pin)).toContain('not waiting');
  expect(runtime.controlPlane.to('POST /pin/verify')).toHaveLength(1);
});

it('answers other commands while it waits, and accepts only the sender’s PIN', async () => {
  await runtime.say('log 7.5 hours');
  expect(await runtime.say('my shifts')).toBe('You have no shifts.');
  expect(await runtime.say(pin, '61400000002')).toContain('not waiting');
  expect(await runtime.say(`My PIN is ${pin}.`)).toBe(logged);
});

it('changes a PIN only after the old one, under any policy', async () => {
  const route = `POST /identities/${identityId}/pin`;
  runtime.controlPlane.routes.set(route, () => ({ status: 200, body: {} }));
  const set = () => runtime.controlPlane.to(route).map(({ body }) => body);
  policy = { ...policy, required: false, pin_required_skills: [] };
  expect(await runtime.say('set pin 0000')).toBe('To change your PIN, please send the one that you have.');
  verification = wrong('pin_invalid', 0);
  expect(await runtime.say('1111')).toContain('locked');
  policy = { ...policy, is_locked: true };
  expect(await runtime.say('set pin 0000')).toContain('locked');
  expect(set()).toEqual([]);
  policy = { ...policy, is_locked: false };
  verification = { status: 200, body: right };
  await runtime.say('set pin 48291357');
  expect(await runtime.say(pin)).toContain('Your PIN is set.');
  expect(set()).toEqual([{ pin: '48291357' }]);
  expect(runtime.controlPlane.to('POST /pin/verify').at(-1)?.body).not.toHaveProperty('purpose');
  expect(runtime.controlPlane.to(route).map((seen) => seen.pinSession)).toEqual(['session-token-1']);
  expect(runtime.logged()).not.toContain('48291357');
});

it.each(['set pin 12', 'change my pin'])('asks for no PIN when "%s" has no new one', async (text) => {
  expect(await runtime.say(text)).toBe('A PIN has 4 to 12 digits.');
  expect(await runtime.say(pin)).toContain('not waiting');
});

it('asks no unknown sender for a PIN', async () => {
  await runtime.deliver(messageOf('set pin 0000', undefined, { identity_id: null }));
  expect(runtime.controlPlane.texts().at(-1)).toBe(introduction);
});

it('sets a first PIN without asking for an old one', async () => {
  runtime.controlPlane.routes.set(`POST /identities/${identityId}/pin`, () => ({ status: 201, body: {} }));
  policy = { ...policy, required: false, has_pin: false };
  expect(await runtime.say('set pin 0000')).toContain('Your PIN is set.');
});

it('runs the command once for two PINs at once', async () => {
  await runtime.say('log 7.5 hours');
  await Promise.all([runtime.say(pin), runtime.say(pin)]);
  expect(hoursLogged()).toBe(1);
});

it.each<[string, FakeReply, string]>([
  ['fails', { status: 500, body: { detail: 'inside' } }, 'Sorry'],
  ['is not there', { status: 404, body: { detail: 'Not Found' } }, 'not available yet'],
  ['talks garbage', { status: 200, body: '{}' }, 'Sorry'],
])('runs nothing while the check %s', async (_name, reply, text) => {
  runtime.controlPlane.routes.set('POST /pin/check-required', () => reply);
  expect(await runtime.say('log 7.5 hours')).toContain(text);
  expect(hoursLogged()).toBe(0);
});

it('runs nothing while sessions cannot be checked', async () => {
  await runtime.say('log 7.5 hours');
  session = { status: 500 };
  expect(await runtime.say(pin)).toContain('Sorry');
  expect(hoursLogged()).toBe(0);
});

it.each<[string, FakeReply]>([
  ['fails', { status: 500 }],
  ['is too busy', { status: 429, body: { detail: 'Try later' } }],
  ['verifies without a token', { status: 200, body: { verified: true } }],
])('keeps the command while the verification %s', async (_name, reply) => {
  await runtime.say('log 7.5 hours');
  verification = reply;
  expect(await runtime.say(pin)).toMatch(/try again/);
  expect(hoursLogged()).toBe(0);
  verification = { status: 200, body: right };
  expect(await runtime.say(pin)).toBe(logged);
});
