import { expect, it } from 'vitest';
import type { FakeReply } from './support/fake-server.ts';
import { customerId, identityId } from './support/ids.ts';
import { agentSecrets, impatient, messageOf, startRuntime } from './support/runtime.ts';

const who = { channel_type: 'chatapp', channel_address: '61400000001' };
const asked = { ...who, customer_id: customerId };
const ok = (body: unknown) => (): FakeReply => ({ status: 200, body });
const refusal = (status: number, detail: unknown) => (): FakeReply => ({ status, body: { detail } });
const page = (staff: unknown[], total = staff.length) => ok({ page: 1, per_page: 50, total, staff });

it('lists only offered tools in its help', async () => {
  const runtime = await startRuntime({
    skills: ['timesheet', { type: 'drive_search', slug: 'something_else' }],
  });
  const help = await runtime.say('help');
  expect(help).toContain('log 7.5 hours');
  expect(help).toContain('set pin');
  expect(help).not.toContain('who can');
  expect(help).not.toContain('find');
  expect(await runtime.say('who can forklift')).toBe('That is not part of this agent.');
  expect(runtime.controlPlane.to('GET /staff')).toEqual([]);
});

it('finds the slug of a skill object as the contract defines it', async () => {
  const skills = [
    { id: 'staff_query' },
    { name: 'timesheet', id: 'x' },
    { type: 'worker_shifts', name: 'x' },
  ];
  const runtime = await startRuntime({ skills: [...skills, null, 7] });
  const help = await runtime.say('help');
  for (const usage of ['who can', 'log 7.5', 'my shifts']) expect(help).toContain(usage);
});

it('finds the active staff with all the skills', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set(
    'GET /staff',
    page(
      [
        { name: 'Ana', role: 'employee', phone: '+61400000009' },
        { name: 'Bo', role: 'contractor' },
      ],
      52,
    ),
  );
  expect(await runtime.say('Who can forklift and first aid?')).toBe(
    'Who can forklift and first aid:\n• Ana, employee\n• Bo, contractor\n… and 50 more',
  );
  expect(runtime.controlPlane.to('GET /staff')[0]?.query).toEqual({
    customer_id: customerId,
    skills: 'forklift,first aid',
    status: 'active',
    exclude_lapsed: 'true',
  });
  runtime.controlPlane.routes.set('GET /staff', page([]));
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
});

it('shows a stranger no staff and no files, but says how to be introduced', async () => {
  const runtime = await startRuntime({ skills: ['staff_query', 'drive_search'] });
  const staff = [{ name: 'Ana Private', role: 'employee', availability_notes: 'home alone after 6pm' }];
  runtime.controlPlane.routes.set('GET /staff', page(staff));
  runtime.controlPlane.routes.set('GET /drive/search', ok({ files: [{ name: 'salaries-2026.txt' }] }));
  for (const text of ['who can forklift', 'find salaries']) {
    await runtime.deliver(messageOf(text, '999888777', { identity_id: null }));
    expect(runtime.controlPlane.texts().at(-1)).toBe(
      'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.',
    );
  }
  expect(runtime.controlPlane.texts().join()).not.toMatch(/Ana|salaries/);
  expect(runtime.controlPlane.to('GET /staff')).toEqual([]);
  expect(runtime.controlPlane.to('GET /drive/search')).toEqual([]);
  expect(await runtime.say('find salaries')).toContain('salaries-2026.txt');
});

it('answers everybody for a public skill', async () => {
  const runtime = await startRuntime({ skills: [{ slug: 'staff_query', public: true }, 'drive_search'] });
  runtime.controlPlane.routes.set('GET /staff', page([{ name: 'Ana' }]));
  await runtime.deliver(messageOf('who can forklift', '999888777', { identity_id: null }));
  expect(runtime.controlPlane.texts().at(-1)).toContain('Ana');
  await runtime.deliver(messageOf('find salaries', '999888777', { identity_id: null }));
  expect(runtime.controlPlane.texts().at(-1)).toContain('people I know');
});

it.each([
  [
    'my shifts',
    '/worker/me/shifts',
    {
      site: 'Dock',
      starts_at: '2026-11-21T22:00:00.000Z',
      ends_at: '2026-11-22T06:00:00.000Z',
      status: 'planned',
    },
    '• 2026-11-21 22:00 to 2026-11-22 06:00 UTC, Dock (planned)',
  ],
  [
    'my assignments',
    '/worker/me/assignments',
    {
      title: 'Paint',
      site: null,
      starts_at: '2026-11-21T01:00:00.000Z',
      ends_at: '2026-11-21T06:00:00.000Z',
    },
    '• Paint, 2026-11-21 01:00 to 06:00 UTC',
  ],
  [
    'my certs',
    '/worker/me/certs',
    { type: 'white card', number: 'W1', days_left: 12, status: 'expiring' },
    '• white card, W1, 12 days left (expiring)',
  ],
  [
    'my timesheets',
    '/worker/me/timesheets',
    { date: '2026-11-20', hours: 7.5, description: 'Paint', status: 'submitted' },
    '• 2026-11-20, 7.5 hours, Paint (submitted)',
  ],
])('answers "%s" from %s', async (text, path, row, line) => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set(`GET ${path}`, ok([row]));
  expect(await runtime.say(text)).toContain(line);
  expect(runtime.controlPlane.to(`GET ${path}`)[0]?.query).toEqual(asked);
  runtime.controlPlane.routes.set(`GET ${path}`, ok([]));
  expect(await runtime.say(text)).toMatch(/^You have no /);
});

const shift = (starts_at: string, ends_at: string | null, site: string) => ({ starts_at, ends_at, site });

it.each([
  ['my shifts today', 'Your shifts on 2026-11-20:\n• 2026-11-20 22:00 to 2026-11-21 00:00 UTC, Dock'],
  ['am I working tomorrow?', 'Your shifts on 2026-11-21:\n• 2026-11-21 22:00 to 2026-11-22 06:00 UTC, Yard'],
  ['my shifts on Sunday', 'Your shifts on 2026-11-22:\n• 2026-11-21 22:00 to 2026-11-22 06:00 UTC, Yard'],
  ['my shifts on 2026-11-23', 'You have no shifts on 2026-11-23.'],
])('answers %j with the shifts of that day', async (text, answer) => {
  const runtime = await startRuntime();
  const shifts = [
    shift('2026-11-20T22:00:00.000Z', '2026-11-21T00:00:00.000Z', 'Dock'),
    shift('2026-11-21T22:00:00.000Z', '2026-11-22T06:00:00.000Z', 'Yard'),
  ];
  runtime.controlPlane.routes.set('GET /worker/me/shifts', ok(shifts));
  expect(await runtime.say(text)).toBe(answer);
});

it('lists a job without an end on each later day', async () => {
  const runtime = await startRuntime();
  const jobs = [
    { title: 'Paint', starts_at: '2026-11-01T08:00:00.000Z', ends_at: null },
    { title: 'Weld', starts_at: '2026-11-21T08:00:00.000Z', ends_at: null },
    { title: 'Clean', starts_at: null, ends_at: null },
  ];
  runtime.controlPlane.routes.set('GET /worker/me/assignments', ok(jobs));
  const answer = await runtime.say('my jobs today');
  expect(answer).toContain('Paint');
  expect(answer).toContain('Clean');
  expect(answer).not.toContain('Weld');
});

it('answers "can I drive the forklift at Pier 4" from the certificates, without claims about the site', async () => {
  const runtime = await startRuntime();
  const certs = [
    { type: 'Forklift licence', days_left: 1, status: 'expiring' },
    { type: 'crane', days_left: 90, status: 'valid' },
  ];
  runtime.controlPlane.routes.set('GET /worker/me/certs', ok(certs));
  expect(await runtime.say('can I drive the forklift at Pier 4?')).toBe(
    'Your certs for forklift:\n• Forklift licence, 1 day left (expiring)\nI do not know what Pier 4 asks for: please check there.',
  );
  expect(await runtime.say('can i operate a digger')).toBe('You have no certs for digger.');
});

it('explains STOP and START', async () => {
  const runtime = await startRuntime();
  expect(await runtime.say('Stop.')).toBe(
    'All right, I do not write to you first any more. I still answer what you send. Send "start" to have it back.',
  );
  expect(await runtime.say('START')).toBe(
    'Thank you. I may write to you first again. Send "help" to see what I can do.',
  );
  await runtime.deliver(messageOf('stop', undefined, { kind: 'audio' }));
  expect(runtime.controlPlane.texts().at(-1)).toBe(
    'Please write the word STOP to me, in a message of its own.',
  );
});

it('logs hours on the day of the message, or on the named day', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  await runtime.say('log 7.5 hours');
  expect(await runtime.say('log 8 hours on 2026-11-18 for painting')).toBe(
    'Logged 8 hours on 2026-11-18 for painting. That day has 8 hours now.',
  );
  await runtime.say('log 1 hour yesterday');
  const seen = runtime.controlPlane.to('POST /worker/me/timesheet');
  expect(seen.map(({ query }) => query)).toEqual([asked, asked, asked]);
  expect(seen.map(({ body }) => body)).toEqual([
    { date: '2026-11-20', hours: 7.5 },
    { date: '2026-11-18', hours: 8, description: 'painting' },
    { date: '2026-11-19', hours: 1 },
  ]);
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 200, body: '<html>' }));
  expect(await runtime.say('log 7.5 hours')).toContain('Sorry');
  expect(await runtime.say('log 25 hours')).toBe('Hours must be more than 0 and at most 24.');
});

it('passes on the warnings of an entry', async () => {
  const runtime = await startRuntime();
  const warnings = ['future', 'over_24_h', 'unheard_of'];
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: { warnings } }));
  expect(await runtime.say('log 8 hours on 2026-11-19')).toBe(
    'Logged 8 hours on 2026-11-19. That day has 8 hours now. It is a day that is still to come. That is more than 24 hours.',
  );
});

it.each(['2026-13-45', '2026-02-30'])('asks for another day for the missing date %s', async (day) => {
  const runtime = await startRuntime();
  expect(await runtime.say(`log 2 hours on ${day}`)).toBe(
    `There is no ${day} in the calendar. Please give the date as YYYY-MM-DD.`,
  );
  expect(runtime.controlPlane.to('POST /worker/me/timesheet')).toEqual([]);
});

it('finds a worker by phone number when the user id is not bound', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /worker/me/shifts', ({ query }) =>
    query['channel_address'] === '61400000001'
      ? { status: 200, body: [] }
      : refusal(404, 'Binding not found')(),
  );
  await runtime.deliver(messageOf('my shifts', '61400000001', { external_id: 'AU.1' }));
  await runtime.deliver(messageOf('my shifts', '61400000002', { external_id: 'AU.2' }));
  expect(runtime.controlPlane.texts()).toEqual([
    'You have no shifts.',
    'This address does not belong to a worker that I know. Whoever keeps the staff list can link it.',
  ]);
  expect(
    runtime.controlPlane.to('GET /worker/me/shifts').map(({ query }) => query['channel_address']),
  ).toEqual(['AU.1', '61400000001', 'AU.2', '61400000002']);
});

it('finds a worker by any address of the sender, not by one that the sender has lost', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusal(404, 'Worker not found'));
  await runtime.deliver(messageOf('my shifts', '61400000001', { addresses: ['AU.1', '61400000002'] }));
  expect(
    runtime.controlPlane.to('GET /worker/me/shifts').map(({ query }) => query['channel_address']),
  ).toEqual(['AU.1', '61400000002']);
});

it('tells an unverified worker how to verify, and accepts the bare response', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusal(403, 'The binding is not verified'));
  runtime.controlPlane.routes.set('POST /worker/verify', ({ body }) => {
    const response = body && typeof body === 'object' && 'response' in body ? body.response : undefined;
    if (response === '482913')
      return { status: 200, body: { state: 'verified', verified: true, name: 'Sam' } };
    if (response === 'no') return { status: 200, body: { state: 'rejected', verified: false } };
    return { status: 200, body: { state: 'unverified', verified: false } };
  });
  expect(await runtime.say('yes')).toContain('did not understand');
  expect(await runtime.say('my shifts')).toContain('verify <code>');
  expect(await runtime.say('yes', '61400000002')).toContain('did not understand');
  expect(await runtime.say('Yes!')).toContain('did not verify');
  expect(await runtime.say('my shifts')).toContain('not verified');
  expect(await runtime.say('482913')).toBe('Thank you, Sam. This address is verified now.');
  expect(await runtime.say('verify no')).toContain('not linked');
  const verifications = runtime.controlPlane.to('POST /worker/verify');
  expect(verifications.map(({ query }) => query)).toEqual(
    verifications.map(() => ({ customer_id: customerId })),
  );
  expect(verifications.map(({ body }) => body)).toEqual([
    { ...who, response: 'Yes' },
    { ...who, response: '482913' },
    { ...who, response: 'no' },
  ]);
});

it('accepts no bare response after the verify command', async () => {
  const runtime = await startRuntime();
  const { routes } = runtime.controlPlane;
  routes.set('GET /worker/me/shifts', refusal(403, 'The binding is not verified'));
  routes.set('POST /worker/verify', ok({ state: 'verified', verified: true, name: 'Sam' }));
  await runtime.say('my shifts');
  expect(await runtime.say('verify yes')).toContain('Thank you, Sam');
  expect(await runtime.say('no')).toContain('did not understand');
  expect(runtime.controlPlane.to('POST /worker/verify')).toHaveLength(1);
});

it('asks for the verification again, before any PIN', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusal(403, 'The binding is not verified'));
  runtime.controlPlane.routes.set('POST /worker/verify', ({ body }) => {
    const verified = body && typeof body === 'object' && 'response' in body && body.response === '482913';
    return { status: 200, body: { state: verified ? 'verified' : 'unverified', verified, name: 'Sam' } };
  });
  const asked = await runtime.say('my shifts');
  for (const unclear of ['ja', 'ok 👍', '48 29 13?']) expect(await runtime.say(unclear)).toBe(asked);
  const refused = await runtime.say('yes');
  expect(refused).toContain('did not verify');
  expect(await runtime.say('111111')).toBe(refused);
  expect(await runtime.say('482913')).toBe('Thank you, Sam. This address is verified now.');
  expect(await runtime.say('ja')).toContain('did not understand');
  expect(runtime.logged()).toContain('"during":"my_shifts","error":"WorkerUnverified"');
});

it('waits for the full time again when it asks again', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusal(403, 'The binding is not verified'));
  runtime.controlPlane.routes.set(
    'POST /worker/verify',
    ok({ state: 'verified', verified: true, name: 'Sam' }),
  );
  const asked = await runtime.say('my shifts');
  runtime.advance(9 * 60_000);
  expect(await runtime.say('ok')).toBe(asked);
  runtime.advance(2 * 60_000);
  expect(await runtime.say('yes')).toContain('Thank you, Sam');
});

it('does not ask a rejected worker to verify', async () => {
  const runtime = await startRuntime();
  const detail = 'This address was rejected: it has to be bound to the worker anew';
  runtime.controlPlane.routes.set('GET /worker/me/shifts', refusal(403, detail));
  expect(await runtime.say('my shifts')).toBe(
    'This address is not linked to a worker any more. Whoever keeps the staff list can link it again.',
  );
  expect(await runtime.say('yes')).toContain('did not understand');
});

it.each<[string, FakeReply]>([
  ['fails', { status: 500 }],
  ['is too busy', { status: 429, body: { detail: 'Try later' } }],
])('accepts the bare reply again when the verification %s', async (_name, reply) => {
  const runtime = await startRuntime();
  const { routes } = runtime.controlPlane;
  routes.set('GET /worker/me/shifts', refusal(403, 'The binding is not verified'));
  routes.set('POST /worker/verify', () => reply);
  await runtime.say('my shifts');
  expect(await runtime.say('yes')).toMatch(/try again/);
  routes.set('POST /worker/verify', ok({ state: 'verified', verified: true, name: 'Sam' }));
  expect(await runtime.say('yes')).toContain('Thank you, Sam');
});

it('sets a PIN, and never repeats or logs it', async () => {
  const runtime = await startRuntime();
  const route = `POST /identities/${identityId}/pin`;
  runtime.controlPlane.routes.set(route, ok({ has_pin: true, is_active: true }));
  const answers = [await runtime.say('Set PIN 48291357'), await runtime.say('set pin 123')];
  runtime.controlPlane.routes.set(
    route,
    refusal(422, [{ loc: ['body', 'pin'], msg: 'PIN 48291357 is weak' }]),
  );
  answers.push(await runtime.say('set my pin to 48291357'));
  await runtime.deliver(messageOf('set pin 48291357', undefined, { identity_id: null }));
  answers.push(runtime.controlPlane.texts().at(-1));
  expect(answers).toEqual([
    'Your PIN is set. You may want to delete your message with it.',
    'A PIN has 4 to 12 digits.',
    'That was not accepted: pin: PIN … is weak',
    'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.',
  ]);
  expect(runtime.controlPlane.to(route).map(({ body }) => body)).toEqual([
    { pin: '48291357' },
    { pin: '48291357' },
  ]);
  expect(runtime.logged()).not.toContain('48291357');
});

it('finds files in the drive of the customer', async () => {
  const runtime = await startRuntime();
  expect(await runtime.say('find plan')).toBe('That is not available yet.');
  runtime.controlPlane.routes.set(
    'GET /drive/search',
    ok({ files: [{ name: 'plan.pdf', web_url: 'https://d/1' }] }),
  );
  expect(await runtime.say('find plan')).toBe('I found:\n• plan.pdf, https://d/1');
  expect(runtime.controlPlane.to('GET /drive/search')[1]?.query).toEqual({
    query: 'plan',
    max_results: '20',
    customer_id: customerId,
  });
  runtime.controlPlane.routes.set('GET /drive/search', refusal(404, 'Connection not found'));
  expect(await runtime.say('find plan')).toBe('No drive is connected.');
});

const apology = 'Sorry, something went wrong on our side. Please try again later.';
const notYet = 'That is not available yet.';

it.each<[string, FakeReply, string]>([
  ['an unknown route', { status: 404, body: { detail: 'Not Found' } }, notYet],
  ['an unknown route without words', { status: 404, body: '<html>' }, notYet],
  ['501', { status: 501, body: { detail: 'Not Implemented' } }, notYet],
  ['503', { status: 503, body: '' }, notYet],
  ['500', { status: 500, body: { detail: 'column "x" of table y' } }, apology],
  ['401', { status: 401, body: { detail: 'Not authenticated' } }, apology],
  ['garbage', { status: 200, body: '<html>' }, apology],
  ['another shape', { status: 200, body: { staff: 'nobody' } }, apology],
  ['silence', 'hang', apology],
  ['404 of a row', { status: 404, body: { detail: 'Customer not found' } }, 'I could not find that.'],
  ['403', { status: 403, body: { detail: 'x' } }, 'You are not allowed to do that here.'],
  ['429', { status: 429, body: { detail: 'x' } }, expect.stringContaining('too many requests')],
  [
    '409',
    { status: 409, body: { detail: 'This shift is logged' } },
    'That was not accepted: This shift is logged',
  ],
])('explains %s from the control plane', async (_name, reply, text) => {
  const runtime = await startRuntime(reply === 'hang' ? { timeouts: impatient } : {});
  runtime.controlPlane.routes.set('GET /staff', () => reply);
  expect(await runtime.say('who can forklift')).toEqual(text);
});

it('offers all tools without a configuration, which it reads again after 30 s', async () => {
  const runtime = await startRuntime({ skills: [] });
  const configured = runtime.controlPlane.routes.get('GET /customer-config');
  runtime.controlPlane.routes.delete('GET /customer-config');
  runtime.controlPlane.routes.set('GET /staff', page([]));
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
  if (configured) runtime.controlPlane.routes.set('GET /customer-config', configured);
  runtime.advance(30_000);
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
  expect(runtime.controlPlane.to('GET /customer-config')).toHaveLength(1);
  runtime.advance(1);
  expect(await runtime.say('who can dance')).toBe('That is not part of this agent.');
});

it('reads the configuration again when secrets arrive, as at the end of an upgrade', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /staff', page([]));
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
  expect(runtime.controlPlane.to('GET /customer-config')).toHaveLength(1);
  await runtime.request('PUT', '/secrets', agentSecrets);
  expect(await runtime.say('who can dance')).toBe('Nobody active can dance.');
  expect(runtime.controlPlane.to('GET /customer-config')).toHaveLength(2);
});

it('runs no tool of a skill while the configuration cannot be read', async () => {
  const runtime = await startRuntime();
  runtime.controlPlane.routes.set('GET /customer-config', () => ({ status: 500 }));
  expect(await runtime.say('who can dance')).toBe(apology);
  expect(await runtime.say('help')).toContain('set pin');
  expect(runtime.controlPlane.to('GET /staff')).toEqual([]);
});

it('says that it did not understand', async () => {
  const runtime = await startRuntime();
  expect(await runtime.say('lovely weather')).toContain('Send "help"');
  expect(runtime.logged()).not.toContain('weather');
});
