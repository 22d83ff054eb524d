import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, linesOf, outcomeOf, Workplace } from './support/agentctl.ts';

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
      ['apply', 'delete', 'diff', 'export', 'get', 'help', 'list', 'restore', 'revisions'],
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
