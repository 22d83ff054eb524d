import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerProcess } from './server-process.ts';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLES = join(ROOT, 'docs/examples');

let server: ServerProcess;
let base_url: string;
beforeAll(async () => {
  server = await ServerProcess.inNewDirectory();
  // No channel: stand-ins for tokens must not reach a real one.
  ({ base_url } = await server.start({ CHATAPP_API_BASE_URL: 'http://127.0.0.1:9' }));
});
afterAll(() => server.remove());

it('the quick start deploys an agent on a new server', async () => {
  const script = join(EXAMPLES, 'dist/deploy-an-agent.js');
  const credentials = join(server.dataDir, 'credentials.json');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, credentials], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ready: true, violations: 0\npending {2}Deploy accepted\n/);
  expect(stdout).toMatch(/\nrunning\nfront\.example\.com is running: instance \S+\n$/);
  const [, instance_id] = /instance (\S+)/.exec(stdout) ?? [];
  expect(server.runtimes().map((runtime) => runtime.instance_id)).toEqual([instance_id]);
});

const commandsIn = (page: string) => [...page.matchAll(/(?<=^```sh\n).*?(?=^```$)/gms)].join('\n');

/** The program that npx starts, without the second that npx takes. */
const AGENTCTL = 'node cli/bin/agentctl.js';

async function typed(commands: string, input: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const here = { PATH, HOME, XDG_CONFIG_HOME: server.dataDir, DATA_DIR: server.dataDir, ACP: base_url };
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: ROOT, env: here });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const guide = async (name: string) =>
  commandsIn(await readFile(join(ROOT, 'docs', name), 'utf8'))
    .replaceAll('npx agentctl', AGENTCTL)
    .replaceAll('http://127.0.0.1:8080', base_url)
    .replaceAll('./data/', `${server.dataDir}/`);

it('the README’s commands of agentctl work', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [commands = ''] = readme.match(/(?<=^```sh\n)npx agentctl customers create .*?(?=^```$)/ms) ?? [];
  const stdout = await typed(commands, 'help\ntalk to a human\n');
  expect(stdout).toMatch(/^crew\.example\.com is running$/m);
  expect(stdout).toMatch(/^I can do this:\n• who can /m);
  // The page shows the agent's text.
  const [, shown = ''] = /^agent {2}› (I am passing this on .*)$/m.exec(readme) ?? [];
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(shown);
});

it('the commands of the quick start work', async () => {
  const lines = (await guide('quick-start.md')).split('\n').filter((line) => line.startsWith(AGENTCTL));
  const stdout = await typed(lines.join('\n'), 'help\n');
  expect(stdout).toMatch(/^desk\.example\.com is running$/m);
  expect(stdout).toMatch(/^I can do this:$/m);
});

it('the commands of the guide to talking work after the README’s', async () => {
  const stdout = await typed(await guide('talk-to-your-agent.md'), 'help\n');
  expect(stdout.match(/^I can do this:$/gm)).toHaveLength(4);
  const page = await readFile(join(ROOT, 'docs/talk-to-your-agent.md'), 'utf8');
  const answer = 'Nobody active can forklift.';
  expect([page, stdout]).toEqual([expect.stringContaining(answer), expect.stringContaining(answer)]);
});

it('the commands of the guide to takeovers work after the README’s', async () => {
  const stdout = await typed(await guide('take-over-a-conversation.md'), '');
  for (const pattern of [
    /^ID +WITH +CHANNEL +MODE +UNANSWERED .*\n\S+ +\S+ +playground +human until 20/m,
    /^20\S+ \S+Z {2}sender {2}talk to a human$/m,
    /^20\S+ \S+Z {2}system {2}handed over: The sender asked for a person$/m,
    /^delivered: message \S+$/m,
    /: a person has it until 20.*\n\S+: the agent answers$/m,
    / WHY\n/,
    / LAST ERROR\n/,
  ])
    expect(stdout).toMatch(pattern);
});

it('the commands of the guide to numbers work after the README’s', async () => {
  const stdout = await typed(await guide('webhook.md'), '');
  for (const pattern of [
    /^number 187768953141096 is answered: /m,
    /^42delivered to instance /m,
    /^20\S+ \S+Z {2}agent {3}I can do this:$/m,
    / delivered +61455000001 /,
  ])
    expect(stdout).toMatch(pattern);
});

it('the commands of the guide to onboarding work', async () => {
  const stdout = await typed(await guide('onboard-a-customer.md'), '');
  for (const pattern of [
    /^2 added, 0 changed$/m,
    /^crew\.harbour\.example is running$/m,
    /agent {3}Thank you, Ana Silva\. This address is verified now\./,
    /• 2030-01-08 09:00 to 17:00 Australia\/Sydney, Pier 4 \(scheduled\)/,
    /agent {3}Logged 7\.5 hours on 2026-11-20\./,
    /^2026-11-20, 7\.5 h: approved$/m,
    /^It differs\.$/m,
    /^upgrade \S+: succeeded$/m,
  ])
    expect(stdout).toMatch(pattern);
});

it('the commands of the gallery work, and print what the page shows', async () => {
  const [example = ''] = (await guide('recipes.md')).match(/^\S+ \S+ recipes export [^]*/m) ?? [];
  // The page's other commands have placeholders.
  const stdout = await typed(example.slice(0, example.indexOf('curl')), '');
  const page = await readFile(join(ROOT, 'docs/recipes.md'), 'utf8');
  const [, shown = ''] = /^```\n(overtime\.txt:\n.*?)^```$/ms.exec(page) ?? [];
  expect(stdout).toMatch(/^documents\.harbour\.example is running$/m);
  expect(stdout.endsWith(shown), stdout).toBe(true);
  expect(shown).toContain('I found no file named wages.');
});

it('its script has fewer than 40 lines, needs the client alone, and is the guide’s', async () => {
  const script = await readFile(join(EXAMPLES, 'deploy-an-agent.ts'), 'utf8');
  expect(script.split('\n').length - 1).toBeLessThan(40);
  const imported = [...script.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imported).toEqual(['node:fs', '@agent-control-plane/sdk']);
  const guide = await readFile(join(EXAMPLES, '../quick-start.md'), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${script}\`\`\``);
});
