import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, outcomeOf, waitForOutput } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let instance_id: string;
let recipe_id: string;
beforeAll(async () => {
  bench = await startCliBench();
  const { work } = bench;
  await work.run('customers', 'create', '--email', 'ops@example.com');
  await work.given('name: Plain\nsystem_prompt: first\n', 'recipes', 'apply', '-f', '-');
  const deployed = await work.json<{ instance_id: string }>(
    'deploy',
    'Plain',
    '--customer',
    'ops@example.com',
    '--hostname',
    'crew',
    '--wait',
    '-q',
  );
  instance_id = deployed.instance_id;
  const recipes = await bench.tenant.api.get<{ id: string; name: string }[]>('/v1/recipes');
  recipe_id = recipes.body.find(({ name }) => name === 'Plain')?.id ?? expect.unreachable();
});
afterAll(() => bench.stop());

const change = (fields: object) => bench.tenant.api.put(`/v1/recipes/${recipe_id}`, fields);
const upgrade = (...args: string[]) => bench.work.run('upgrade', instance_id, ...args);

const STEPS = [
  'wire_grants',
  'apply_configuration',
  'renew_runtime',
  'wire_channels',
  'wait_for_health',
  'upgrade            Upgraded to revision 2',
];

describe('upgrade', () => {
  it('is what drift names', async () => {
    await change({ system_prompt: 'second' });
    const { code, stderr } = await bench.work.run('instances', 'drift', instance_id);
    expect(code).toBe(1);
    expect(stderr).toContain(`"agentctl upgrade ${instance_id}"`);
  });

  it('--dry-run shows the changes without making them', async () => {
    const { code, stdout } = await upgrade('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('revision 1 → 2');
    expect(stdout).toMatch(/\/system_prompt +"first" +"second"/);
    expect(await bench.work.json('instances', 'get', instance_id)).toMatchObject({ recipe_revision: 1 });
  });

  it('asks before, and requires --yes without a terminal', async () => {
    const { code, stderr } = await upgrade();
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
  });

  it('--yes shows a line of progress per step', async () => {
    const { code, stdout, stderr } = await upgrade('--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`upgrade ${instance_id}: succeeded`);
    const lines = linesOf(stderr).filter((line) => line.startsWith('  · '));
    expect(lines.map((line, at) => line.includes(STEPS[at] ?? '?'))).toEqual(STEPS.map(() => true));
    const again = await upgrade();
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing is to be changed')]);
  });

  it('names missing connections, and exits with 1', async () => {
    await change({ connection_requirements: ['crm'] });
    const { code, stderr } = await upgrade('--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: connections are missing for the upgrade: crm \(missing\)$/m);
  });
});

const send = (...lines: string[]) =>
  bench.service.operations.post(`/internal/v1/instances/${instance_id}/logs`, { lines });

describe('logs', () => {
  it('prints the last lines', async () => {
    await send('one', 'two', 'three');
    const { code, stdout } = await bench.work.run('logs', instance_id, '--tail', '2');
    expect(code).toBe(0);
    expect(linesOf(stdout).map((line) => line.split(/ {2,}/).at(-1))).toEqual(['two', 'three']);
  });

  it('shows JSON of the built-in runtime as words, and as it is with --json', async () => {
    const line = {
      at: '2026-11-20T09:30:00.000Z',
      level: 'warn',
      event: 'llm_failed',
      status: 401,
      why: 'a b',
    };
    await send(JSON.stringify(line));
    const { stdout } = await bench.work.run('logs', instance_id, '--tail', '1');
    expect(stdout).toMatch(/Z {2}warn llm_failed status=401 why="a b"$/m);
    const raw = await bench.work.json<{ line: string }>('logs', instance_id, '--tail', '1');
    expect(JSON.parse(raw.line)).toEqual(line);
    await send('three');
  });

  it('-f continues with new lines', async () => {
    const child = bench.work.start('logs', instance_id, '-f', '--tail', '1');
    await waitForOutput(child.stdout, /three/);
    const output = waitForOutput(child.stdout, /four/);
    await send('four');
    await output;
    child.kill('SIGKILL');
    expect(await outcomeOf(child)).toMatchObject({ code: 'SIGKILL' });
  });
});
