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
  ({ base_url } = await server.start());
});
afterAll(() => server.remove());

it('the quick start deploys an agent on a server just started, and says how it gets to run', async () => {
  const script = join(EXAMPLES, 'dist/deploy-an-agent.js');
  const credentials = join(server.dataDir, 'credentials.json');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, credentials], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ready: true, violations: 0\npending {2}Deploy accepted\n/);
  expect(stdout).toMatch(/\nrunning\ncrew\.example\.com is running: instance \S+\n$/);
  const [, instance_id] = /instance (\S+)/.exec(stdout) ?? [];
  expect(server.runtimes().map((runtime) => runtime.instance_id)).toEqual([instance_id]);
});

it('agentctl’s commands of the README run as they stand', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [commands = ''] = readme.match(/(?<=^```sh\n)npx agentctl customers create .*?(?=^```$)/ms) ?? [];
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands], {
    cwd: ROOT,
    env: { PATH, HOME, XDG_CONFIG_HOME: server.dataDir, DATA_DIR: server.dataDir },
  });
  expect(stdout).toMatch(/^crew\.example\.com is running$/m);
});

it('the commands of the guide to onboarding run as they stand', async () => {
  const guide = await readFile(join(ROOT, 'docs/onboard-a-customer.md'), 'utf8');
  const commands = [...guide.matchAll(/(?<=^```sh\n).*?(?=^```$)/gms)]
    .join('\n')
    .replace('http://127.0.0.1:8080', base_url)
    .replace('./data/', `${server.dataDir}/`);
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: ROOT,
    env: { PATH },
  });
  for (const said of [
    /^\[\]$/m,
    /"created":2,"updated":0,"errors":\[\]/,
    /^verified$/m,
    /"site":"Pier 4"/,
    /^submitted$/m,
  ])
    expect(stdout).toMatch(said);
});

it('its script has fewer than 40 lines, uses the client alone, and is the one that the guide shows', async () => {
  const script = await readFile(join(EXAMPLES, 'deploy-an-agent.ts'), 'utf8');
  expect(script.split('\n').length - 1).toBeLessThan(40);
  const imported = [...script.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imported).toEqual(['node:fs', '@agent-control-plane/sdk']);
  const guide = await readFile(join(EXAMPLES, '../quick-start.md'), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${script}\`\`\``);
});
