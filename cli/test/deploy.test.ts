import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertInstance } from '../../server/test/support/instances.ts';
import { BIN, linesOf, outcomeOf, waitForOutput } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
beforeAll(async () => {
  bench = await startCliBench();
  const { work } = bench;
  await work.run('customers', 'create', '--email', 'Ops@example.com');
  await work.given(
    'name: Plain\n---\nname: Wanting\nconnection_requirements: [{provider: google_drive}]\n',
    'recipes',
    'apply',
    '-f',
    '-',
  );
});
afterAll(() => bench.stop());

const FOR_OPS = ['--customer', 'ops@example.com', '--hostname', 'crew'];
const deploy = (...args: string[]) => bench.work.run('deploy', 'Plain', ...FOR_OPS, ...args);

const STEPS = [
  'Deploy accepted',
  'Provisioning began',
  'allocate',
  'start_runtime',
  'wire_grants',
  'wire_channels',
  'wire_rules',
  'wait_for_health',
  'provisioning → running',
];

describe('deploy', () => {
  it('--wait shows each step on standard error, in order, until it runs', async () => {
    const { code, stdout, stderr } = await deploy('--wait');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Plain is deployed: instance \S+\ncrew is running\n$/);
    const lines = linesOf(stderr).filter((line) => line.startsWith('  · '));
    expect(lines.map((line, at) => line.includes(STEPS[at] ?? '?'))).toEqual(STEPS.map(() => true));
    expect(stderr).not.toContain('\u001b');
  });

  it('--json prints only the API’s answer; repeating a key returns the same instance', async () => {
    const first = await bench.work.json(
      'deploy',
      'Plain',
      ...FOR_OPS,
      '--idempotency-key',
      'k',
      '--wait',
      '-q',
    );
    expect(first).toMatchObject({ ready: true, idempotency_key: 'k', missing_connections: [] });
    expect(await bench.work.json('deploy', 'Plain', ...FOR_OPS, '--idempotency-key', 'k')).toMatchObject({
      instance_id: first.instance_id,
    });
  });

  it('that is not ready exits with 1 and names the missing connections', async () => {
    const { code, stdout, stderr } = await bench.work.run('deploy', 'Wanting', ...FOR_OPS);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: nothing was deployed, because the customer lacks connections: google_drive \(missing\)$/m,
    );
  });

  it('that fails exits with 1 and prints the message of the failed step', async () => {
    const { engine } = bench.service;
    engine.failure = 'spec_rejected';
    const outcome = await deploy('--wait').finally(() => (engine.failure = undefined));
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: Instance \S+ is failed: The engine refused to start the runtime$/m,
      ),
    });
    expect(outcome.stderr).toMatch(/^hint: "agentctl instances retry \S+" tries again$/m);
  });

  it('takes an override and a plan hash, and a tier and a region by name', async () => {
    const { work } = bench;
    await work.write('o.yaml', 'voice_config: {greeting: Hi}\n');
    const plan = ['--customer', 'ops@example.com', '--hostname', 'crew', '--override', 'o.yaml'];
    const { plan_hash } = await work.json<{ plan_hash: string }>('check', 'Plain', ...plan);
    const exact = ['deploy', 'Plain', ...plan, '--tier', 'Small', '--region', 'eu', '--plan-hash'];
    const { instance_id } = await work.json<{ instance_id: string }>(...exact, plan_hash);
    expect(await work.json('instances', 'get', instance_id)).toMatchObject({
      resolved_config: { voice_config: { greeting: 'Hi' } },
    });
    expect((await work.run(...exact, 'f'.repeat(64))).code).toBe(5);
  });

  it.each([
    ['recipe', ['deploy', 'Nope', ...FOR_OPS], 4],
    ['customer', ['deploy', 'Plain', '--customer', 'nobody@example.com', '--hostname', 'h'], 4],
    ['tier', ['deploy', 'Plain', ...FOR_OPS, '--tier', 'Huge'], 4],
    ['region', ['deploy', 'Plain', ...FOR_OPS, '--region', 'mars'], 4],
    ['hostname', ['deploy', 'Plain', '--customer', 'ops@example.com'], 2],
  ])('names a %s that does not exist', async (what, args, code) => {
    const outcome = await bench.work.run(...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr.toLowerCase()).toContain(what);
  });
});

const DOUBLE = ['--customer', 'ops@example.com', '--hostname', 'Double'];

const asked = async (answer: string) => {
  const terminal = spawn(
    'script',
    ['-qefc', `${process.execPath} ${BIN} deploy Plain ${DOUBLE.join(' ')}`, '/dev/null'],
    {
      cwd: bench.work.directory,
      env: bench.work.environment,
    },
  );
  let shown = '';
  let isAsked = false;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // The question may come in pieces.
    if (isAsked || !/Deploy another\? \[y\/N\]/.test(shown)) return;
    isAsked = true;
    terminal.stdin.write(`${answer}\r`);
  });
  const [code] = (await once(terminal, 'close')) as [number];
  return [code, shown];
};

describe('a hostname that another instance has', () => {
  beforeAll(() => bench.work.run('deploy', 'Plain', '--customer', 'ops@example.com', '--hostname', 'double'));

  it('is asked about in a terminal: a no deploys nothing, a yes or --yes deploys', async () => {
    expect(await asked('n')).toEqual([1, expect.stringContaining('nothing was deployed')]);
    expect(await asked('y')).toEqual([0, expect.stringContaining('Plain is deployed')]);
  });

  it('is told without a terminal, and blocks nothing', async () => {
    const { code, stderr } = await bench.work.run('deploy', 'Plain', ...DOUBLE);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^violation: .*Double.*\(hostname_in_use\)$/m)]);
  });
});

it.each(['Bad Host', 'a..b', '-a', ''])('refuses %j as a hostname', async (hostname) => {
  const outcome = await bench.work.run(
    'deploy',
    'Plain',
    '--customer',
    'ops@example.com',
    '--hostname',
    hostname,
  );
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('not a hostname') });
});

describe('check', () => {
  it('has violations in its answer, also with --quiet, and says that they have no effect', async () => {
    const { work } = bench;
    await work.given('name: Typo\nskills: [staff_qery]\n', 'recipes', 'apply', '-f', '-');
    const checked = await work.run('check', 'Typo', '--customer', 'ops@example.com', '-q');
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(
      /^violation: \/skills\/0: .*did you mean "staff_query"\? \(not_approved\)$/m,
    );
    expect(checked.stdout).toMatch(/^ready, with \d violations?: they have no effect$/m);
    expect(checked.stdout).not.toMatch(/violation: (\S+): \1/);
  });

  it('shows the configuration, and exits with 1 when a deploy is not ready', async () => {
    const { work } = bench;
    expect(await work.run('check', 'Plain', '--customer', 'ops@example.com')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ready$/m),
    });
    const outcome = await work.run('check', 'Wanting', '--customer', 'ops@example.com');
    expect(outcome).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^ {2}- provider: google_drive$/m),
    });
    expect(outcome.stdout).toMatch(/^connection needed: google_drive \(missing\)\nnot ready$/m);
  });

  it('without a customer composes, and exits with 1 for violations', async () => {
    const { work } = bench;
    expect(await work.run('check', 'Wanting')).toMatchObject({ code: 0 });
    const outcome = await work.given('{"colour": "blue"}', 'check', 'Plain', '--override', '-', '--json');
    expect(outcome.code).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      violations: [{ code: 'unknown_field', path: '/colour' }],
    });
  });
});

describe('instances', () => {
  let id: string;
  beforeEach(async () => {
    const { instance_id } = await bench.work.json<{ instance_id: string }>(
      'deploy',
      'Plain',
      ...FOR_OPS,
      '--wait',
      '-q',
    );
    id = instance_id;
  });

  it('are listed and filtered', async () => {
    const { work } = bench;
    const { stdout } = await work.run(
      'instances',
      'list',
      '--status',
      'running',
      '--customer',
      'ops@example.com',
      '--recipe',
      'Plain',
    );
    expect(stdout).toMatch(
      new RegExp(`^ID +STATUS[^]*\n${id}  running  crew +Ops@example.com +Plain r1 +eu +dedicated +20`),
    );
    const all = await work.run('instances', 'list', '--all', '--json');
    expect(linesOf(all.stdout).map((line) => (JSON.parse(line) as { id: string }).id)).toContain(id);
    expect((await work.run('instances', 'list', '--status', 'gone')).code).toBe(2);
  });

  it('are stopped, started, restarted and terminated', async () => {
    const { work } = bench;
    for (const verb of ['stop', 'start', 'restart']) {
      expect(await work.json('instances', verb, id, '--wait')).toMatchObject({
        status: 'succeeded',
        instance_id: id,
      });
    }
    expect(await work.run('instances', 'start', id)).toMatchObject({ code: 5, stdout: '' });
    expect(await work.run('instances', 'retry', id)).toMatchObject({ code: 5 });
    const followed = outcomeOf(work.start('instances', 'events', id, '--follow', '--tail', '1', '--json'));
    expect((await work.run('instances', 'terminate', id, '--wait')).stdout).toMatch(/task \S+ succeeded\n$/);
    const { code, stdout } = await followed;
    expect(code).toBe(0);
    const moves = linesOf(stdout).map((line) => (JSON.parse(line) as { to: string }).to);
    expect(moves.at(-1)).toBe('terminated');
    const log = await work.run('instances', 'events', id);
    expect(log.stdout).toMatch(
      /^20\S+ \S+Z {2}pending {3}Deploy accepted\n[^]*running → stopped[^]*terminating → terminated\n$/,
    );
  });

  it('are followed until Ctrl-C, which exits with 130', async () => {
    const child = bench.work.start('instances', 'events', id, '-f');
    await waitForOutput(child.stdout, /provisioning → running/);
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(130);
  });

  it('drift when their recipe changes, which exits with 1', async () => {
    const { work } = bench;
    expect((await work.run('instances', 'drift', id)).code).toBe(0);
    await work.given('name: Plain\nvoice_config: {greeting: Hello}\n', 'recipes', 'apply', '-f', '-');
    const { code, stdout } = await work.run('instances', 'drift', id);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/\/voice_config/)]);
  });

  it('get an enrollment token', async () => {
    expect(await bench.work.json('instances', 'enrollment-token', id)).toMatchObject({
      enrollment_token: expect.any(String),
      vpn_ip: expect.any(String),
    });
  });

  it('lose every proxy key', async () => {
    expect((await bench.work.run('instances', 'end-proxy-keys', id)).code).toBe(0);
    const { database } = bench.service;
    expect(await database.query('select from proxy_keys where instance_id = $1', [id])).toEqual([]);
  });

  it('of another tenant are not found', async () => {
    const { service, work } = bench;
    const other = await service.createTenant();
    const { id: theirs } = await insertInstance(service, other.tenant_id);
    expect((await work.run('instances', 'get', theirs)).code).toBe(4);
    expect((await work.run('instances', 'events', theirs, '-f')).code).toBe(4);
  });
});
