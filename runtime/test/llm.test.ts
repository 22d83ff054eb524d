import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { calls, completion, says, startLlm } from './support/fake-llm.ts';
import type { FakeReply } from './support/fake-server.ts';
import { messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

async function startWith(script: [FakeReply, ...FakeReply[]], skills?: unknown[], llmMs = 30_000) {
  const llm = await startLlm(...script);
  const runtime = await startRuntime({
    llmUrl: llm.url,
    timeouts: { controlPlaneMs: 20_000, sendMs: 20_000, llmMs },
    ...(skills && { skills }),
  });
  runtime.controlPlane.routes.set('GET /staff', () => ({
    status: 200,
    body: { page: 1, per_page: 50, total: 1, staff: [{ name: 'Ana', role: 'employee' }] },
  }));
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  return { llm, runtime };
}

const hoursLogged = ({ controlPlane }: TestRuntime) => controlPlane.to('POST /worker/me/timesheet').length;

it('answers with the model, with the configured prompt and tools', async () => {
  const { llm, runtime } = await startWith([says('Good morning.')], ['staff_query']);
  expect(await runtime.say('Good morning, who are you?')).toBe('Good morning.');
  const [request] = llm.requests();
  expect(request?.model).toBe('test-model');
  expect(request?.messages[0]).toEqual({ role: 'system', content: expect.stringMatching(/^Be brief\./) });
  expect(request?.messages[1]).toEqual({ role: 'user', content: 'Good morning, who are you?' });
  const names = request?.tools.map((tool) => tool.function.name);
  expect(names).toEqual(['who_can', 'offer_choices', 'talk_to_a_person', 'help']);
});

it('runs the tools that the model calls and returns their replies', async () => {
  const { llm, runtime } = await startWith([calls('who_can', { skills: ['forklift'] }), says('Ana can.')]);
  expect(await runtime.say('I need somebody for the forklift')).toBe('Ana can.');
  expect(runtime.controlPlane.to('GET /staff')[0]?.query).toMatchObject({
    skills: 'forklift',
    status: 'active',
  });
  expect(llm.requests()[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    tool_call_id: 'call_1',
    content: 'Who can forklift:\n• Ana, employee',
  });
});

it.each([
  ['a tool that is not there', 'delete_everything', {}, 'There is no tool delete_everything.'],
  ['the PIN tool', 'set_pin', { pin: '1234' }, 'There is no tool set_pin.'],
  ['a tool of a skill that is not offered', 'find_file', { name: 'x' }, 'There is no tool find_file.'],
  ['arguments that are no JSON', 'who_can', '{"skills":', 'The arguments are not a JSON object.'],
  [
    'arguments of another shape',
    'who_can',
    { skills: 'forklift' },
    'Which skill? For example: who can forklift',
  ],
  ['hours of another type', 'log_hours', { hours: '8' }, 'Hours must be more than 0 and at most 24.'],
])('returns an error to a model that calls %s', async (_name, tool, args, content) => {
  const { llm, runtime } = await startWith([calls(tool, args), says('Sorry.')], ['staff_query', 'timesheet']);
  expect(await runtime.say('do it')).toBe('Sorry.');
  expect(llm.requests()[1]?.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content });
  expect(runtime.controlPlane.seen.map(({ path }) => path).join()).not.toMatch(/pin$|staff|drive|timesheet/);
});

it('allows five rounds of tools, then requires an answer', async () => {
  const { llm, runtime } = await startWith([calls('help', {})]);
  expect(await runtime.say('loop for ever')).toContain('I can do this');
  expect(llm.requests().map(({ tool_choice }) => tool_choice)).toEqual([...Array(5).fill('auto'), 'none']);
});

it('runs at most twenty tools for a message, however few the rounds', async () => {
  const { runtime } = await startWith([
    calls('log_hours', { hours: 1 }, 20),
    calls('log_hours', { hours: 1 }),
  ]);
  expect(await runtime.say('log my month')).toContain('Logged 1 hour on');
  expect(hoursLogged(runtime)).toBe(20);
});

describe('another endpoint than the gateway', () => {
  const call = { id: 'call_1', function: { name: 'help', arguments: '' } };
  it.each([
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: 'No.' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ],
    ['thoughts', { content: '<think>\nNo.\n</think>\n\nYes.' }],
    ['a lone closing tag', { content: 'No.\n</think>\n\nYes.' }],
  ])('may answer with %s', async (_name, message) => {
    const { runtime } = await startWith([completion(message, 'stop')]);
    expect(await runtime.say('May I?')).toBe('Yes.');
  });

  it.each([
    ['no type and no arguments', call],
    ['an object of arguments', { ...call, function: { name: 'help', arguments: {} } }],
  ])('may call a tool with %s', async (_name, given) => {
    const { llm, runtime } = await startWith([
      completion({ content: null, tool_calls: [given] }, 'tool_calls'),
      says('Yes.'),
    ]);
    expect(await runtime.say('I wonder about something')).toBe('Yes.');
    expect(llm.requests()[1]?.messages.slice(-2)).toMatchObject([
      { tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'help', arguments: '{}' } }] },
      { role: 'tool', content: expect.stringContaining('I can do this') },
    ]);
  });
});

const cut = (content: string | null, reason = 'length') => completion({ content }, reason);
const sentOf = ({ controlPlane }: TestRuntime) =>
  controlPlane.seen.findLast(({ path }) => path.endsWith('/messages'))?.body as {
    text: string;
    error?: string;
  };

describe('an answer that is cut', () => {
  it('goes on where it stopped', async () => {
    const { llm, runtime } = await startWith([
      cut('Never take them together with'),
      says('grapefruit juice.'),
    ]);
    expect(await runtime.say('How?')).toBe('Never take them together with grapefruit juice.');
    expect(llm.requests()[1]?.messages.at(-2)).toMatchObject({ content: 'Never take them together with' });
    expect(sentOf(runtime).error).toContain('finish_reason length');
  });

  it.each([
    ['这种药不能与', '葡萄柚汁一起服用。', '这种药不能与葡萄柚汁一起服用。'],
    ['食後に飲んでください。', 'OK', '食後に飲んでください。OK'],
    ['ห้ามกินพร้อม', 'น้ำเกรปฟรุต', 'ห้ามกินพร้อมน้ำเกรปฟรุต'],
    ['هل تناولته', '؟ لا.', 'هل تناولته؟ لا.'],
    ['इसे मत', 'लीजिए।', 'इसे मत लीजिए।'],
    ['इसे मत लीजिए', '। फिर', 'इसे मत लीजिए। फिर'],
    ['자몽 주스와', '함께 드시지 마세요.', '자몽 주스와 함께 드시지 마세요.'],
    ['¿', 'Cuándo?', '¿Cuándo?'],
    ['Two', '\n\nThree', 'Two\n\nThree'],
  ])('goes on as the script of %j does', async (first, second, whole) => {
    const { runtime } = await startWith([cut(first), says(second)]);
    expect(await runtime.say('How?')).toBe(whole);
  });

  it('says so where it never ends', async () => {
    const { llm, runtime } = await startWith([cut('and')]);
    expect(await runtime.say('How?')).toBe(
      'and and and\n\n(My answer was cut here, because it became too long.)',
    );
    expect(llm.requests()).toHaveLength(3);
    expect(sentOf(runtime).error).toContain('finish_reason length');
  });

  it('says so where a filter stopped it', async () => {
    const { runtime } = await startWith([cut('Take two', 'content_filter')]);
    expect(await runtime.say('How?')).toBe('Take two\n\n(My answer was stopped here.)');
    expect(sentOf(runtime).error).toContain('content_filter');
  });

  it('says so in the sender’s language', async () => {
    const { runtime } = await startWith([cut('Nehmen Sie zwei', 'content_filter')]);
    await runtime.deliver(messageOf('Wie?', undefined, { locale: 'de' }));
    await expect
      .poll(() => runtime.controlPlane.texts())
      .toEqual(['Nehmen Sie zwei\n\n(Meine Antwort wurde hier angehalten.)']);
  });

  it('before its first word is none', async () => {
    const { runtime } = await startWith([cut(null)]);
    expect(await runtime.say('How?')).toContain('I cannot think about that right now.');
    expect(sentOf(runtime).error).toContain('finish_reason length');
  });

  it('within a call of a tool does not run it', async () => {
    const half = {
      id: 'call_1',
      type: 'function',
      function: { name: 'log_hours', arguments: '{"hours":8}' },
    };
    const { runtime } = await startWith([
      completion({ content: null, tool_calls: [half] }, 'length'),
      says('Sorry.'),
    ]);
    expect(await runtime.say('I worked 8 hours')).toBe('Sorry.');
    expect(hoursLogged(runtime)).toBe(0);
  });
});

/** A response without an end, until the other side hangs up. */
const endless = (chunk: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    // A write after the end calls back as well, and would go on in this process for ever.
    if (!response.destroyed) response.write(chunk, () => setImmediate(more));
  };
  response.on('error', () => {});
  more();
};

const broken: [string, FakeReply][] = [
  ['500', { status: 500, body: { error: { message: 'overloaded' } } }],
  ['401', { status: 401, body: { error: { message: 'bad key' } } }],
  ['garbage', { status: 200, body: '<html>' }],
  ['no choices', { status: 200, body: { choices: [] } }],
  ['an empty answer', says('')],
  ['nothing but space', says(' \n')],
  ['silence', 'hang'],
  ['the beginning of an answer', (response) => void response.writeHead(200).write('{"choices":[')],
  ['a space at a time, without end', endless(' ')],
  ['by hanging up in between', (response) => response.write('{', () => response.destroy())],
  ['what is not packed as it says', { status: 200, body: '{}', headers: { 'content-encoding': 'gzip' } }],
  ['calls that are a text', { status: 200, body: { choices: [{ message: { tool_calls: 'help' } }] } }],
  ['hundreds of calls', calls('log_hours', { hours: 1 }, 300)],
];

it.each(broken)('falls back to the plain commands when the model answers %s', async (_name, reply) => {
  const { llm, runtime } = await startWith([reply], undefined, 200);
  expect(await runtime.say('hi')).toContain('I can do this');
  expect(await runtime.say('lovely weather')).toBe(
    'I cannot think about that right now. Send "help" to see what works all the same.',
  );
  expect(llm.seen.length).toBeLessThanOrEqual(4);
  expect(hoursLogged(runtime)).toBe(0);
});

it('aborts a response of more than a megabyte, however fast it comes', async () => {
  let bytes = 0;
  const answer = (response: ServerResponse) => {
    endless('x'.repeat(100_000))(response);
    response.on('close', () => (bytes += response.req.socket.bytesWritten));
  };
  const { runtime } = await startWith([answer]);
  expect(await runtime.say('hi')).toContain('I can do this');
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(0), { timeout: 60_000 });
  expect(bytes).toBeLessThan(20_000_000);
});

it('does not wait for a Retry-After beyond the timeout', async () => {
  const { llm, runtime } = await startWith(
    [{ status: 429, body: {}, headers: { 'retry-after': '50' } }],
    undefined,
    30_000,
  );
  expect(await runtime.say('hi')).toContain('I can do this');
  expect(llm.seen).toHaveLength(1);
});

it('retries a busy model once', async () => {
  const { runtime } = await startWith(
    [{ status: 429, body: {}, headers: { 'retry-after-ms': '1' } }, says('Here I am.')],
    undefined,
    30_000,
  );
  expect(await runtime.say('Good morning')).toBe('Here I am.');
});

it('does not repeat a tool call when the model fails afterwards', async () => {
  const { runtime } = await startWith([calls('log_hours', { hours: 8 }), { status: 400, body: {} }]);
  expect(await runtime.say('I worked 8 hours')).toBe(
    'Logged 8 hours on 2026-11-20. That day has 8 hours now.',
  );
  expect(hoursLogged(runtime)).toBe(1);
});

it('reports the replies of earlier tools when one needs a PIN', async () => {
  const { runtime } = await startWith([
    calls('log_hours', { hours: 8 }),
    calls('my_shifts', {}),
    says('Done.'),
  ]);
  const { routes } = runtime.controlPlane;
  routes.set('POST /pin/check-required', () => ({
    status: 200,
    body: { required: true, has_pin: true, is_locked: false, pin_required_skills: ['worker_shifts'] },
  }));
  expect(await runtime.say('I worked 8 hours, and when do I work?')).toBe(
    'Logged 8 hours on 2026-11-20. That day has 8 hours now.\n\nTo see your shifts, please send your PIN.',
  );
});

it('shows no PIN to the model', async () => {
  const { llm, runtime } = await startWith([calls('log_hours', { hours: 8 }), says('never reached')]);
  const { routes } = runtime.controlPlane;
  routes.set('POST /pin/check-required', () => ({
    status: 200,
    body: { required: true, has_pin: true, is_locked: false, pin_required_skills: ['timesheet'] },
  }));
  routes.set('POST /pin/verify', () => ({
    status: 200,
    body: { verified: true, session_token: 't', session_ttl_minutes: 15 },
  }));
  routes.set('POST /pin/session', () => ({ status: 200, body: { valid: true } }));
  expect(await runtime.say('I worked 8 hours')).toBe('To log 8 hours on 20 November, please send your PIN.');
  expect(await runtime.say('here it is: 738291, thanks')).toContain('the PIN alone');
  expect(await runtime.say('738291')).toContain('Logged 8 hours on 2026-11-20.');
  for (const text of [
    '738291',
    '٧٣٨٢٩١',
    'set pin 738291',
    'Please change my PIN to 738291',
    'my pin was 738291 once',
  ]) {
    await runtime.say(text);
  }
  expect(llm.seen).toHaveLength(1);
  expect(JSON.stringify(llm.seen)).not.toMatch(/738291|٧٣٨٢٩١|set_pin/);
  expect(runtime.logged()).not.toContain('738291');
});

it('handles verification without the model', async () => {
  const { llm, runtime } = await startWith([calls('my_shifts', {}), says('You are welcome.')]);
  runtime.controlPlane.routes.set('GET /worker/me/shifts', () => ({
    status: 403,
    body: { detail: 'Unverified' },
  }));
  runtime.controlPlane.routes.set('POST /worker/verify', () => ({
    status: 200,
    body: { state: 'verified', verified: true, person_id: null, name: 'Sam' },
  }));
  expect(await runtime.say('when do I have to be there?')).toContain('verify <code>');
  expect(await runtime.say('yes')).toContain('Thank you, Sam');
  expect(llm.seen).toHaveLength(1);
  expect(await runtime.say('verify yes')).toContain('Thank you, Sam');
  expect(llm.seen).toHaveLength(1);
  expect(await runtime.say('yes')).toBe('You are welcome.');
});

const refused = (status: number, message: string, code: string | null): FakeReply => ({
  status,
  body: { detail: message, error: { message, type: 'x', param: null, code } },
  headers: { 'x-should-retry': 'false' },
});
const answerTo = async (reply: FakeReply) => {
  const runtime = await startRuntime({ gateway: true });
  runtime.controlPlane.routes.set('POST /llm/chat/completions', () => reply);
  const text = await runtime.say('lovely weather');
  const sent = runtime.controlPlane.seen.findLast(({ path }) => path.endsWith('/messages'));
  return { text, error: (sent?.body as { error?: string } | undefined)?.error, logged: runtime.logged() };
};

describe('a model that gives no answer', () => {
  const outages: [string, FakeReply][] = [
    ['the control plane is gone', 'drop'],
    ['the control plane has no database', { status: 503, body: { detail: 'The database is not reachable' } }],
  ];
  it.each(outages)('because %s leaves nothing, and the message is tried again', async (_name, outage) => {
    const runtime = await startRuntime({ gateway: true });
    const message = messageOf('lovely weather');
    const { routes } = runtime.controlPlane;
    routes.set('POST /llm/chat/completions', () => outage);
    expect((await runtime.deliver(message)).status).toBe(502);
    expect(runtime.controlPlane.texts()).toEqual([]);
    routes.set('POST /llm/chat/completions', () => says('Indeed it is.'));
    expect((await runtime.deliver(message)).status).toBe(200);
    expect(runtime.controlPlane.texts()).toEqual(['Indeed it is.']);
  });

  it('because a budget is spent leaves a sentence and the cause', async () => {
    expect(await answerTo(refused(429, 'The budget is spent', 'insufficient_quota'))).toMatchObject({
      text: 'I have used up what I may think this month. Send "help" to see what works all the same.',
      error: 'The budget is spent',
    });
  });

  it('because it is down leaves another sentence', async () => {
    expect(await answerTo(refused(502, 'Not reachable', null))).toMatchObject({
      text: 'I cannot think about that right now. Send "help" to see what works all the same.',
      error: 'Not reachable',
    });
  });

  it('because its key is refused reports the provider’s status, not the gateway’s', async () => {
    const error = {
      message: 'Incorrect API key',
      type: 'x',
      param: null,
      code: 'invalid_api_key',
      status: 401,
    };
    const headers = { 'x-should-retry': 'false' };
    const { error: cause, logged } = await answerTo({ status: 502, body: { error }, headers });
    expect(cause).toBe('The model’s provider answered 401: Incorrect API key');
    expect(logged).toMatch(/"event":"llm_failed".*"status":401,"code":"invalid_api_key"/);
  });
});
