import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, linesOf, outcomeOf, Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let work: Workplace;
/** For bash; calls the program by its own path. */
let script: string;
beforeAll(async () => {
  work = await Workplace.open();
  ({ stdout: script } = await outcomeOf(work.start('completion', 'bash')));
});
afterAll(() => work.close());

const bash = (input: string, ...flags: string[]) =>
  outcomeOf(spawn('bash', ['--norc', ...flags], { cwd: work.directory, env: work.environment }), input);

async function completionsInBash(...words: string[]): Promise<string[]> {
  const list = ['agentctl', ...words].map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = await bash(
    `${script}\nCOMP_WORDS=(${list})\nCOMP_CWORD=${words.length}\n_agentctl\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
  );
  expect(stderr).toBe('');
  return linesOf(stdout);
}

/** As the scripts of all shells ask for them. */
const completionsOf = async (...words: string[]): Promise<string[]> =>
  linesOf((await work.run('__complete', '--', ...words)).stdout);

describe('completion', () => {
  it('is a script that bash can read', async () => {
    expect(await bash(script, '-n')).toMatchObject({ code: 0, stderr: '' });
    const registered = await bash(`${script}\ncomplete -p agentctl\n`);
    expect(registered.stdout).toBe('complete -o default -F _agentctl agentctl\n');
  });

  it('works in bash, also for an empty last word', async () => {
    expect(await completionsInBash('re')).toEqual(await completionsOf('re'));
    expect(await completionsInBash('profiles', '')).toEqual(await completionsOf('profiles', ''));
  });

  it.each([
    [['re'], ['recipes', 'regions']],
    [
      ['recipes', ''],
      [
        'apply',
        'delete',
        'diff',
        'export',
        'help',
        'list',
        'pause-rollout',
        'restore',
        'resume-rollout',
        'revisions',
        'roll-back',
        'rollout',
        'rollouts',
        'show',
        'stop-rollout',
      ],
    ],
    [
      ['--json', '--url', 'recipes', 'instances', 'st'],
      ['start', 'stop'],
    ],
    [
      ['pins', 'policy', ''],
      ['help', 'set', 'show'],
    ],
    [['staff', 'update', 'ops@example.com', '--status', 's'], ['suspended']],
    [['instances', 'list', '--st'], ['--status']],
    [
      ['instances', 'list', '--status', 'ter'],
      ['terminated', 'terminating'],
    ],
    [['recipes', 'apply', '--f'], ['--file']],
    [
      ['recipes', 'apply', '--'],
      ['--dry-run', '--file', '--help', '--json', '--profile', '--quiet', '--url', '--version'],
    ],
    [['recipes', 'apply', '-f', ''], []],
    [['completion', 'b'], ['bash']],
    [['--', '--j'], []],
    [['__c'], []],
  ])('of %j offers %j', async (words, expected) => {
    expect(await completionsOf(...words)).toEqual(expected);
  });

  it('knows the words that do the same', async () => {
    expect(await completionsOf('pins', 'policy', 'get', '--he')).toEqual(['--help']);
    expect(await completionsOf('staff', 'add', '')).toEqual([]);
  });

  it('exists for zsh and fish, and for no other shell', async () => {
    expect((await work.run('completion', 'zsh')).stdout).toMatch(/^#compdef agentctl\n/);
    expect((await work.run('completion', 'fish')).stdout).toMatch(/^complete -c agentctl /m);
    expect((await work.run('completion', 'csh')).code).toBe(2);
  });
});

it('reports a full disk with another exit code than a negative result', async () => {
  const child = spawn('sh', [
    '-c',
    'exec "$0" "$@" > /dev/full',
    process.execPath,
    BIN,
    'completion',
    'bash',
  ]);
  expect(await outcomeOf(child)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: standard output cannot be written (ENOSPC)\n',
  });
});

let bench: CliBench;

const completedByBash = (words: string, at: number) =>
  outcomeOf(
    spawn('bash', ['--norc'], { cwd: bench.work.directory, env: bench.work.environment }),
    `${script}\nCOMP_WORDS=(${words})\nCOMP_CWORD=${at}\n_agentctl\nprintf '%s\\n' "\${COMPREPLY[@]}" "$COMP_WORDBREAKS"\n`,
  );

const offered = async (...words: string[]) =>
  linesOf((await bench.work.run('__complete', '--', ...words)).stdout);

describe('completion of names', () => {
  beforeAll(async () => {
    bench = await startCliBench({ runsJobs: false });
    await bench.work.run('customers', 'create', '--email', 'Ops@example.com');
    await bench.work.given('name: Crew assistant\n---\nname: Other\n', 'recipes', 'apply', '-f', '-');
    await bench.work.run(
      'deploy',
      'Other',
      '--customer',
      'ops@example.com',
      '--hostname',
      'crew.example.com',
    );
    await bench.work.run('identities', 'create', 'ops@example.com', '+61400000001');
  });
  afterAll(() => bench.stop());

  it.each([
    [['chat', ''], ['crew.example.com']],
    [['customers', 'show', 'op'], ['Ops@example.com']],
    [
      ['deploy', 'o'],
      ['Order desk', 'Other'],
    ],
    [['deploy', 'Crew assistant', '--customer', 'O'], ['Ops@example.com']],
    [['deploy', 'Other', '--region', ''], ['eu']],
    [['instances', 'list', '--recipe', 'crew a'], ['Crew assistant']],
    [['pins', 'reset', 'ops@example.com', ''], ['+61400000001']],
    [['chat', 'x', 'y', ''], []],
  ])('of %j offers %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  it('offers none without a server, and says nothing', async () => {
    const away = bench.work.with({ ACP_URL: 'http://127.0.0.1:9' });
    expect(await away.run('__complete', '--', 'chat', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('inserts an address as one word in bash, and a name with a space quoted', async () => {
    const named = await completedByBash("agentctl deploy 'Crew\\ as'", 2);
    expect([named.stderr, named.stdout]).toEqual(['', expect.stringMatching(/^Crew\\ assistant$/m)]);
    expect(named.stdout).not.toContain('@');
    expect((await completedByBash('agentctl customers show ops@', 3)).stdout).toMatch(/^Ops@example.com$/m);
  });
});

describe('help', () => {
  it('has the commands in groups, those of a first day at the top', async () => {
    const { stdout } = await work.run('--help');
    const groups = [...stdout.matchAll(/^(\w[\w ]*):$/gm)].map(([, title]) => title);
    expect(groups).toContain('Start here');
    expect(groups).toContain('Operator');
    const first = stdout.slice(stdout.indexOf('Start here:'), stdout.indexOf('Agents:'));
    for (const command of ['customers', 'recipes', 'connections', 'deploy', 'chat'])
      expect(first).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  it.each([
    ['customers', 'show', 'get'],
    ['staff', 'create', 'add'],
    ['staff', 'delete', 'remove'],
    ['keys', 'delete', 'revoke'],
    ['conversations', 'delete', 'erase'],
    ['instances', 'terminate', 'delete'],
    ['manifests', 'set', 'put'],
  ])('of %s has %s, and %s does the same', async (noun, verb, old) => {
    expect((await work.run(noun, '--help')).stdout).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
    expect((await work.run(noun, old, '--help')).stdout).toBe((await work.run(noun, verb, '--help')).stdout);
  });
});
