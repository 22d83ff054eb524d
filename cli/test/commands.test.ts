import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { json, Loopback } from '../../sdk/test/support/loopback.ts';
import { OPERATIONS_TOKEN } from '../../server/test/support/service.ts';
import { createEndpoint } from '../../server/test/support/webhook.ts';
import { BIN, linesOf, outcomeOf, type Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let work: Workplace;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
});
afterAll(() => bench.stop());

const call = (name: string) =>
  bench.tenant.api.request('POST', '/v1/mcp', {
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
    headers: { accept: 'application/json, text/event-stream', 'user-agent': 'checker/1.2' },
  });

const say = (...args: string[]) => [
  'messages',
  'simulate',
  '--from',
  '+61455000001',
  '--text',
  'help',
  ...args,
];

describe('a terminal of unknown width', () => {
  it('counts as 80 columns wide', async () => {
    const command = `stty cols 0; ${process.execPath} ${BIN} tiers list`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: work.directory,
      env: work.environment,
    });
    const { code, stdout } = await outcomeOf(child);
    expect([code, stripVTControlCharacters(stdout)]).toEqual([0, expect.stringContaining('NAME')]);
  });
});

describe('tenants', () => {
  it('are listed, limited, suspended and resumed by the operator', async () => {
    const { tenant_id } = await bench.service.createTenant('Limited');
    const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    const listed = await operator.json<{ items: { id: string }[] }>('tenants', 'list');
    expect(listed.items.map(({ id }) => id)).toContain(tenant_id);
    const found = await operator.run('tenants', 'list', '--search', 'imite');
    expect(found.stdout).toMatch(
      /^ID +NAME +STATE +AGENTS +CUSTOMERS +USERS +MONTH \$ +CREATED\n\S+ +Limited .*\n$/,
    );
    const limits = ['instances=7', 'monthly_cost=12.5', 'users=default'];
    const limited = await operator.json('tenants', 'limit', tenant_id, ...limits);
    expect(limited).toMatchObject({ limits: { instances: 7, monthly_cost: 12.5, users: 500 } });
    expect(await operator.json('tenants', 'get', tenant_id)).toEqual(limited);
    expect(await operator.json('tenants', 'deactivate', tenant_id)).toMatchObject({ is_active: false });
    expect(await operator.json('tenants', 'activate', tenant_id)).toMatchObject({ is_active: true });
    const wrong = await operator.run('tenants', 'limit', tenant_id, 'instances=many');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('instances=20')]);
  });
});

describe('customers', () => {
  it('are changed in the given fields alone, and erased by id', async () => {
    const { id } = await work.json('customers', 'create', '--email', 'typo@example.com', '--locale', 'en-AU');
    const update = (...flags: string[]) => work.run('customers', 'update', 'typo@example.com', ...flags);
    expect((await update()).code).toBe(2);
    expect((await update('--company', 'Pier 4', '--locale', '')).code).toBe(0);
    expect(await work.json('customers', 'get', 'typo@example.com')).toMatchObject({
      company_name: 'Pier 4',
      locale: null,
    });
    expect((await work.run('customers', 'delete', 'typo@example.com')).code).toBe(2);
    expect(await work.run('customers', 'delete', String(id))).toMatchObject({ code: 0, stdout: '' });
    expect((await work.run('customers', 'get', 'typo@example.com')).code).toBe(4);
  });

  it('are created, found and listed', async () => {
    const flags = [
      '--company',
      'Harbour 港湾',
      '--country',
      'AU',
      '--currency',
      'AUD',
      '--timezone',
      'Australia/Sydney',
      '--locale',
      'en-AU',
    ];
    const { id } = await work.json('customers', 'create', '--email', 'Ops@example.com', ...flags);
    expect(await work.json('customers', 'get', 'ops@EXAMPLE.com')).toMatchObject({
      id,
      company_name: 'Harbour 港湾',
      country_code: 'AU',
      locale: 'en-AU',
    });
    expect((await work.run('customers', 'create', '--email', 'ops@example.com')).code).toBe(5);
    await work.run('customers', 'create', '--email', 'hops@example.com');
    const found = await work.run(
      'customers',
      'list',
      '--search',
      'ops@',
      '--sort-by',
      'email',
      '--sort-dir',
      'asc',
    );
    expect(
      linesOf(found.stdout)
        .slice(1)
        .map((line) => line.split(/ {2,}/)[1]),
    ).toEqual(['hops@example.com', 'Ops@example.com']);
    expect(found.stdout).toMatch(/ Harbour 港湾  0 of 0 run /);
    expect((await work.run('customers', 'get', 'ps@example.com')).code).toBe(4);
  });

  it('are refused with all errors', async () => {
    const { code, stderr } = await work.run('customers', 'create', '--email', 'x', '--country', 'Nowhere');
    expect(code).toBe(2);
    expect(
      linesOf(stderr)
        .slice(2)
        .map((line) => line.split(':')[0]),
    ).toEqual(['  body.email', '  body.country_code']);
  });
});

describe('users', () => {
  it('are invited, listed, given a new password and removed', async () => {
    const { anonymous } = bench.service;
    const email = 'invited@example.com';
    const invited = await work.run('users', 'invite', email, '--role', 'admin');
    expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining(`invitation of ${email}`) });
    const invitation_token = invited.stdout.trim();
    await work.run('users', 'invite', 'mistaken@example.com');
    const open = await work.run('users', 'invitations');
    expect(open.stdout).toMatch(/^ID +E-MAIL +ROLE +BY +UNTIL\n/);
    expect(open.stdout).toMatch(/ mistaken@example\.com +member +\S+ +20/);
    expect(open.stdout).not.toContain(invitation_token);
    expect((await work.run('users', 'uninvite', 'Mistaken@example.com')).code).toBe(0);
    expect((await work.run('users', 'uninvite', 'mistaken@example.com')).code).toBe(4);
    expect(await work.json('users', 'invitations')).toMatchObject({ items: [{ email }], total: 1 });
    const accepted = { invitation_token, password: 'chosen-by-the-owner-1' };
    expect((await anonymous.post('/auth/invitations/accept', accepted)).status).toBe(200);
    const { items } = await work.json<{ items: { id: string; email: string }[] }>('users', 'list');
    const id = items.find((user) => user.email === email)?.id ?? expect.unreachable();
    const reset_token = (await work.run('users', 'reset-password', id)).stdout.trim();
    const reset = { reset_token, password: 'chosen-by-the-owner-2' };
    expect((await anonymous.post('/auth/password-reset', reset)).status).toBe(200);
    expect(await work.run('users', 'remove', id)).toMatchObject({ code: 0, stdout: '' });
    expect((await work.run('users', 'list')).stdout).not.toContain(email);
  });
});

describe('keys', () => {
  it('are shown once, rotated and revoked', async () => {
    const made = await work.run(
      'keys',
      'create',
      '--name',
      'CI',
      '--scope',
      'recipes:read',
      '--scope',
      'instances:*',
      '--rate-limit',
      '9/60',
      '--expires-at',
      '2999-01-31T00:00:00Z',
    );
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acp_\S+\n$/) });
    const key = made.stdout.trim();
    const { items } = await work.json<{ items: { id: string; name: string }[] }>('keys', 'list');
    const row = items.find(({ name }) => name === 'CI');
    expect(row).toMatchObject({
      scopes: ['recipes:read', 'instances:*'],
      rate_limit: { limit: 9, window_seconds: 60 },
      role: 'member',
      expires_at: '2999-01-31T00:00:00.000Z',
    });
    expect((await work.run('keys', 'list')).stdout).not.toContain(key);
    const rotated = await work.json<{ id: string; key: string }>(
      'keys',
      'rotate',
      row?.id ?? '',
      '--overlap',
      '0',
    );
    expect((await work.with({ ACP_API_KEY: key }).run('whoami')).code).toBe(3);
    const ci = work.with({ ACP_API_KEY: rotated.key });
    expect((await ci.run('whoami')).code).toBe(0);
    expect(await work.run('keys', 'revoke', rotated.id)).toMatchObject({ code: 0, stdout: '' });
    expect((await ci.run('whoami')).code).toBe(3);
    expect((await work.run('keys', 'revoke', '..')).code).toBe(2);
    expect((await work.run('keys', 'create', '--name', 'x', '--scope', '*', '--rate-limit', '9')).code).toBe(
      2,
    );
  });
});

describe('audit', () => {
  it('lists tool calls, and exits with 1 for a changed one', async () => {
    for (const name of ['list_recipes', 'list_tiers', 'drop_database']) await call(name);
    const { stdout } = await work.run('audit', 'list');
    expect(stdout).toMatch(/^2 +20\S+ \S+Z  list_tiers +allowed +200 +key \S+  checker 1\.2$/m);
    const denied = await work.run(
      'audit',
      'list',
      '--decision',
      'denied',
      '--from',
      '2020-01-01T00:00:00Z',
      '--all',
      '--json',
    );
    expect(linesOf(denied.stdout).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { tool: 'drop_database', seq: 3 },
    ]);
    expect(await work.run('audit', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^tool calls: the chain is intact: 3 rows, last hash [0-9a-f]{64}\nchanges: the chain is intact: \d+ rows, /,
      ),
    });
    await bench.service.database.query(
      `update tool_calls set tool = 'other' where tenant_id = $1 and seq = 2`,
      [bench.tenant.tenant_id],
    );
    expect(await work.run('audit', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^tool calls: the chain is broken at 2: row_changed/),
      stderr: expect.stringMatching(/the chain of tool calls is broken/),
    });
    const { code, stdout: forPrograms } = await work.run('audit', 'verify', '--json');
    expect([code, JSON.parse(forPrograms)]).toMatchObject([
      1,
      { tool_calls: { valid: false, first_invalid: 2 }, changes: { valid: true } },
    ]);
  });

  it('lists changes', async () => {
    const { body } = await bench.tenant.api.post<{ id: string }>('/v1/recipes', { name: 'Recorded' });
    const { stdout } = await work.run('audit', 'changes', '--resource', body.id, '--actor-kind', 'api_key');
    expect(stdout).toMatch(new RegExp(`create_recipe +${body.id} +201 +key test `));
  });
});

describe('models', () => {
  it('are imported by the operator, and listed without a credential', async () => {
    const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    const yaml =
      'models:\n  - {model_id: a/one, display_name: One, cost_input_per_mtok: "0.10", context_window: 8000}\n';
    expect(await operator.given(yaml, 'models', 'import', '-f', '-')).toMatchObject({
      code: 0,
      stdout: '1 models created or changed\n',
    });
    await work.write('models.json', JSON.stringify([{ model_id: 'a/two' }]));
    expect(await operator.json('models', 'import', '-f', 'models.json')).toEqual({ upserted: 1 });
    expect((await work.with({ ACP_API_KEY: '' }).run('models', 'list')).stdout).toMatch(
      /^a\/one +One +8000 +0\.10$/m,
    );
    expect((await work.run('models', 'import', '-f', 'models.json')).code).toBe(3);
    expect((await operator.given('models: [{}]', 'models', 'import', '-f', '-')).stderr).toMatch(
      /^ {2}body\.models\.0\.model_id: Field required$/m,
    );
  });
});

describe('secrets', () => {
  it('are wrapped again; rotation explains that the environment sets the master key', async () => {
    const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    expect(await operator.run('secrets', 'rotate-master-key')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/MASTER_KEY/),
    });
    expect(await operator.json('secrets', 'rewrap')).toMatchObject({ remaining: 0 });
    expect((await work.run('secrets', 'rewrap')).code).toBe(3);
  });

  it('need the right operations token, and hint at it', async () => {
    const stranger = work.with({ ACP_OPERATIONS_TOKEN: 'another' });
    expect(await stranger.run('secrets', 'rewrap')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /\nhint: set ACP_OPERATIONS_TOKEN to the OPERATIONS_TOKEN of the server\n$/,
      ),
    });
  });
});

describe('messages simulate', () => {
  it('signs a message, sends it and shows its delivery', async () => {
    const { id, app_secret, phone_number_id, instance } = await createEndpoint(bench.service, bench.tenant);
    const channel = work.with({ ACP_APP_SECRET: app_secret });
    expect(await channel.run(...say())).toMatchObject({
      code: 0,
      stdout: `delivered to instance ${instance.id}, attempts: 1\n`,
    });
    const { message } = bench.service.runtimes.messages.at(-1) ?? {};
    expect(message).toMatchObject({ text: 'help', external_id: '61455000001' });
    expect(await channel.json(...say('--endpoint', id))).toMatchObject({
      status: 'delivered',
      endpoint_id: id,
    });
    const given = await work.given(
      `${app_secret}\n`,
      ...say('--phone-number-id', phone_number_id, '--app-secret-stdin', '--json'),
    );
    expect(JSON.parse(given.stdout)).toMatchObject({ status: 'delivered' });
    expect((await work.with({ ACP_APP_SECRET: 'another' }).run(...say())).code).toBe(3);
    expect((await work.run(...say())).stderr).toMatch(/hint: set ACP_APP_SECRET/);
    expect((await channel.run(...say('--phone-number-id', '1'))).code).toBe(4);
  });

  it('exits with 1 for a message that the runtime refuses', async () => {
    const { id, app_secret } = await createEndpoint(bench.service, bench.tenant);
    bench.service.runtimes.onMessage = () => {
      throw new Error('Away');
    };
    const outcome = await work
      .with({ ACP_APP_SECRET: app_secret })
      .run(...say('--endpoint', id, '--timeout', '1'));
    const next = await work
      .with({ ACP_APP_SECRET: app_secret })
      .run(...say('--endpoint', id, '--timeout', '1'));
    bench.service.runtimes.onMessage = () => {};
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(/^pending to instance/) });
    expect(next).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an earlier message of the same sender is pending'),
    });
  });
});

describe('a server', () => {
  let loopback: Loopback | undefined;
  afterEach(async () => {
    await loopback?.stop();
    loopback = undefined;
  });
  const against = async (...steps: Parameters<typeof Loopback.start>) => {
    loopback = await Loopback.start(...steps);
    return work.with({ ACP_URL: loopback.baseUrl });
  };

  it('that is down: exits with 6 and asks whether it is running', async () => {
    const gone = await Loopback.start(json(200, {}));
    const { baseUrl } = gone;
    await gone.stop();
    const { code, stdout, stderr } = await work.run('keys', 'list', '--url', `${baseUrl}/`);
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr.split('\n')[0]).toBe(`error: no server at ${baseUrl} (ECONNREFUSED): is it running?`);
  });

  it('with a certificate of an unknown CA: exits with 6 and explains how to trust it', async () => {
    const url = bench.service.mtls_url;
    const { code, stderr } = await work.run('keys', 'list', '--url', url);
    expect(code).toBe(6);
    expect(linesOf(stderr)).toEqual([
      `error: the certificate of ${url} is not trusted (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)`,
      'hint: for your own CA, set NODE_EXTRA_CA_CERTS=<its certificate, PEM>',
    ]);
  });

  it('that is not HTTP: exits with 6 and names the address', async () => {
    await using plain = await Loopback.start(json(200, {}));
    const url = plain.baseUrl.replace('http:', 'https:');
    const { code, stderr } = await work.run('keys', 'list', '--url', url);
    expect([code, stderr]).toEqual([6, expect.stringContaining(`hint: is ${url} the control plane?`)]);
  });

  it('that fails: exits with 6 and names the id in its log', async () => {
    const place = await against(json(500, { detail: 'Internal server error' }, { 'x-request-id': 'r-1' }));
    const { code, stderr } = await place.run('keys', 'list');
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/answered 500: Internal server error\nhint: .* X-Request-Id r-1 /m),
    ]);
  });

  it.each([
    ['The API key lacks the scope keys:read', /\nhint: use another key or user/],
    ['The role admin is required', /\nhint: use another key or user/],
    ['Platform templates are read-only; create a recipe of your own', /own\n$/],
  ])(
    'that refuses with "%s": exits with 3 and suggests another key where that helps',
    async (detail, stderr) => {
      const place = await against(json(403, { detail }));
      expect(await place.run('keys', 'list')).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(stderr),
      });
    },
  );

  it('that asks to wait: waits, with a note', async () => {
    const none = { items: [], page: 1, per_page: 20, total: 0 };
    const place = await against(
      json(429, { detail: 'Slow down' }, { 'retry-after': '1' }),
      json(200, none),
      json(429, { detail: 'Slow down' }, { 'retry-after': '1' }),
      json(200, none),
    );
    expect(await place.run('keys', 'list')).toMatchObject({
      code: 0,
      stderr: '(the server answered 429 and asks to wait 1 s)\n',
    });
    expect(await place.run('keys', 'list', '--quiet')).toMatchObject({ code: 0, stderr: '' });
  });

  it('cannot move the cursor with control characters', async () => {
    const email = 'a\u001b[2J\u0007\u202e\n@example.com';
    const customer = {
      id: 'x',
      email,
      company_name: null,
      instance_count: 0,
      running_instance_count: 0,
      latest_subscription_status: null,
      created_at: '',
    };
    const place = await against(json(200, { customers: [customer], page: 1, per_page: 20, total: 1 }));
    const { stdout } = await place.run('customers', 'list');
    expect(linesOf(stdout)[1]).toMatch(/^x {3,}a @example\.com /);
    for (const mover of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(mover);
    const fault = await against(json(409, { detail: 'a\u001b[2Jb' }));
    expect((await fault.run('customers', 'list')).stderr).toBe('error: ab\n');
  });

  it.each([['ftp://x'], ['nonsense'], ['http://me:secret@127.0.0.1']])('cannot be at %s', async (url) => {
    const { code, stderr } = await work.run('keys', 'list', '--url', url);
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('secret')]);
  });
});

const step = (id: number) => ({
  id,
  at: '',
  from: 'running',
  to: 'running',
  step: `s${id}`,
  message: null,
});

const page = (number: number, ...ids: number[]) =>
  json(200, { items: ids.map(step), page: number, per_page: 2, total: 3 });

describe('instances events', () => {
  it('shows each event once when one is added between two pages', async () => {
    await using loopback = await Loopback.start(page(1, 3, 2), page(2, 2, 1));
    const place = work.with({ ACP_URL: loopback.baseUrl });
    const { stdout } = await place.run('instances', 'events', randomUUID());
    expect(linesOf(stdout).map((line) => line.trim())).toEqual(['s1', 's2', 's3']);
  });
});

describe('secrets rewrap', () => {
  it('continues until nothing remains, and stops when nothing changes', async () => {
    const counts = { tenant_keys: 2, ca_keys: 1, chain_heads: 0, service_keys: 0 };
    const answers = [7, 3, 0, 3, 3].map((remaining) => json(200, { ...counts, remaining }));
    await using loopback = await Loopback.start(...answers);
    const place = work.with({ ACP_URL: loopback.baseUrl, ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    const all = { tenant_keys: 6, ca_keys: 3, chain_heads: 0, service_keys: 0, remaining: 0 };
    expect(await place.json('secrets', 'rewrap')).toEqual(all);
    expect(loopback.received.length).toBe(3);
    expect(await place.run('secrets', 'rewrap')).toMatchObject({ code: 1, stdout: '' });
    expect(loopback.received.length).toBe(5);
  });
});

describe('any command', () => {
  it('marks required options in its help', async () => {
    const { stdout } = await work.run('customers', 'create', '--help');
    expect(stdout).toMatch(/^ {2}--email <address> +required$/m);
    expect((await work.run('deploy', '--help')).stdout).toMatch(
      /--hostname <name> +the agent’s hostname \(required\)$/m,
    );
    expect(stdout).not.toMatch(/--company.*required/);
  });

  it('ends quietly when its output is closed', async () => {
    const child = work.start('recipes', 'list', '--json');
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each([
    [['--version'], 0],
    [['--help'], 0],
    [['recipes', 'apply', '--help'], 0],
    [[], 2],
    [['recipes'], 2],
    [['recipe'], 2],
    [['recipes', 'list', '--page', '1'], 2],
    [['recipes', 'list', 'more'], 2],
    [['keys', 'list', '--page', 'x'], 2],
    [['keys', 'list', '--all', '--page', '2'], 2],
    [['keys', 'create'], 2],
  ])('%j exits with %i', async (args, code) => {
    const outcome = await work.run(...args);
    expect(outcome.code).toBe(code);
    expect(code === 0 ? outcome.stderr : outcome.stdout).toBe('');
  });
});
