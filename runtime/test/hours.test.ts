import { beforeEach, expect, it } from 'vitest';
import { at } from '../src/json.ts';
import { calls, says, startLlm } from './support/fake-llm.ts';
import { messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

interface Entry {
  date: string;
  hours: number;
  description?: string | null;
  status: string;
}

let runtime: TestRuntime;
let entries: Entry[];

async function start(llmUrl?: string) {
  runtime = await startRuntime(llmUrl === undefined ? {} : { llmUrl });
  entries = [];
  runtime.controlPlane.routes.set('GET /worker/me/timesheets', () => ({ status: 200, body: entries }));
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', ({ body }) => {
    const entry = { description: null, ...(body as Entry), status: 'submitted' };
    entries.unshift(entry);
    return { status: 201, body: entry };
  });
}
beforeEach(() => start());

const asks = (doubt: string, action: string) => `${doubt} Send "yes" to ${action} all the same.`;

it('reports the day’s sum without rejected entries', async () => {
  entries = [
    { date: '2026-11-20', hours: 2.1, status: 'approved' },
    { date: '2026-11-20', hours: 8, status: 'rejected' },
    { date: '2026-11-19', hours: 8, status: 'submitted' },
  ];
  expect(await runtime.say('log 0.2 hours')).toBe(
    'Logged 0.2 hours on 2026-11-20. That day has 2.3 hours now.',
  );
});

it.each([
  ['log 3 hours', 'You have logged the same for that day already.', 'log 3 hours on 20 November'],
  ['log 23 hours', 'That day would have 26 hours.', 'log 23 hours on 20 November'],
  [
    'log 1 hour on 2031-01-02 for painting',
    'That day is still to come.',
    'log 1 hour on 2 January 2031 for painting',
  ],
  ['log 1 hour on 2026-10-19', 'That day is 32 days ago.', 'log 1 hour on 19 October'],
])('asks before %j, and logs the hours after a yes', async (text, doubt, action) => {
  entries = [{ date: '2026-11-20', hours: 3, description: null, status: 'submitted' }];
  expect(await runtime.say(text)).toBe(asks(doubt, action));
  expect(entries).toHaveLength(1);
  expect(await runtime.say('Yes please!')).toMatch(/^Logged /);
  expect(entries).toHaveLength(2);
  expect(await runtime.say('yes')).toContain('did not understand');
  expect(entries).toHaveLength(2);
});

it.each(['log 3 hours for painting', 'log 4 hours', 'log 3 hours yesterday', 'log 3 hours on 2026-10-20'])(
  'asks nothing about %j',
  async (text) => {
    entries = [{ date: '2026-11-20', hours: 3, status: 'submitted' }];
    expect(await runtime.say(text)).toMatch(/^Logged /);
  },
);

it('names all doubts at once', async () => {
  entries = [{ date: '2026-11-22', hours: 20, status: 'submitted' }];
  expect(await runtime.say('log 20 hours on 2026-11-22')).toBe(
    asks(
      'You have logged the same for that day already. That day would have 40 hours. That day is still to come.',
      'log 20 hours on 22 November',
    ),
  );
});

it('does nothing after a no, another message, another sender’s yes or five minutes', async () => {
  const ask = () => runtime.say('log 1 hour on 2026-11-30');
  await ask();
  expect(await runtime.say('no')).toBe('All right, I leave it as it is.');
  expect(await runtime.say('yes')).toContain('did not understand');
  await ask();
  await runtime.say('my timesheets');
  expect(await runtime.say('yes')).toContain('did not understand');
  await ask();
  expect(await runtime.say('yes', '61400000002')).toContain('did not understand');
  runtime.advance(5 * 60_000 + 1);
  expect(await runtime.say('yes')).toContain('did not understand');
  expect(entries).toEqual([]);
});

it('asks when a model logs implausible hours, and handles the yes without the model', async () => {
  const llm = await startLlm(calls('log_hours', { hours: 8, date: 'tomorrow' }), says('Never said.'));
  await start(llm.url);
  expect(await runtime.say('put me down for a full day tomorrow')).toBe(
    asks('That day is still to come.', 'log 8 hours on 21 November'),
  );
  expect(await runtime.say('yes')).toContain('Logged 8 hours on 2026-11-21.');
  expect(llm.seen).toHaveLength(1);
});

it('logs the day of the command, even if its PIN comes a day later', async () => {
  const { routes } = runtime.controlPlane;
  const policy = { required: true, has_pin: true, is_locked: false, pin_required_skills: ['timesheet'] };
  routes.set('POST /pin/check-required', () => ({ status: 200, body: policy }));
  routes.set('POST /pin/verify', () => ({ status: 200, body: { verified: true, session_token: 't' } }));
  routes.set('POST /pin/session', () => ({ status: 200, body: { valid: true } }));
  await runtime.deliver(messageOf('log 2 hours', undefined, { received_at: '2026-11-20T23:59:59.000Z' }));
  await runtime.deliver(messageOf('738291', undefined, { received_at: '2026-11-21T00:00:01.000Z' }));
  expect(runtime.controlPlane.texts()[1]).toContain('on 2026-11-20.');
  expect(at(entries[0], 'date')).toBe('2026-11-20');
});
