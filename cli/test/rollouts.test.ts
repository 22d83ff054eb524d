import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failUpgradesOf } from '../../server/test/support/rollouts.ts';
import { linesOf } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
const instances: string[] = [];
beforeAll(async () => {
  bench = await startCliBench();
  const { work } = bench;
  await work.run('customers', 'create', '--email', 'ops@example.com');
  await work.given('name: Crew desk\nsystem_prompt: first\n', 'recipes', 'apply', '-f', '-');
  for (const hostname of ['one', 'two']) {
    const customer = ['--customer', 'ops@example.com'];
    const deploy = ['deploy', 'Crew desk', ...customer, '--hostname', hostname, '--wait', '-q'];
    instances.push((await work.json<{ instance_id: string }>(...deploy)).instance_id);
  }
  await work.given('name: Crew desk\nsystem_prompt: second\n', 'recipes', 'apply', '-f', '-');
});
afterAll(() => bench.stop());

const recipes = (...args: string[]) => bench.work.run('recipes', ...args);
const progressIn = (stderr: string) => linesOf(stderr).filter((line) => line.startsWith('  · '));

describe('recipes rollout', () => {
  it('--dry-run shows what would be changed', async () => {
    const { code, stdout } = await recipes('rollout', 'Crew desk', '--dry-run');
    expect(code).toBe(0);
    expect(linesOf(stdout).slice(1)).toEqual([
      expect.stringMatching(/^one +1 +1 +\/system_prompt/),
      expect.stringMatching(/^two +2 +1 +\/system_prompt/),
    ]);
  });

  it('asks before, requires --yes without a terminal, and refuses batches that do not rise', async () => {
    expect(await recipes('rollout', 'Crew desk')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    const wrong = await recipes('rollout', 'Crew desk', '--batches', '50,20,100');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('rising') });
    const none = await recipes('rollout', 'Crew desk', '--follow');
    expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining('has no rollout') });
  });

  it('shows each agent as it gets further, and exits with 1 where it stops', async () => {
    const end = failUpgradesOf(instances[1]);
    const flags = ['--batches', '50,100', '--pause-seconds', '0', '--yes'];
    const { code, stdout, stderr } = await recipes('rollout', 'Crew desk', ...flags);
    end();
    expect(code, stderr).toBe(1);
    const lines = progressIn(stderr);
    expect(lines).toContain('  · batch 1  one  upgraded');
    expect(lines).toContain('  · batch 2  two  failed: It is of no use');
    expect(stdout).toMatch(/^rollout \S+: stopped: failed upgrades \(1 failed, 1 upgraded\)$/m);
    const list = await recipes('rollouts', 'Crew desk');
    expect(list.stdout).toMatch(/ 2 +stopped: failed upgrades +1 failed, 1 upgraded /);
  });

  it('goes on, and goes back', async () => {
    const resumed = await recipes('resume-rollout', 'Crew desk');
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(': succeeded (') });
    expect((await recipes('stop-rollout', 'Crew desk')).code).toBe(5);
    expect((await recipes('pause-rollout', 'Crew desk')).code).toBe(5);
    const back = await recipes('roll-back', 'Crew desk');
    expect(back).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(': rolled back (1 failed, 1 rolled back)'),
    });
    expect(progressIn(back.stderr)).toContain('  · batch 1  one  rolled back');
    const followed = await recipes('rollout', 'Crew desk', '--follow', '--json');
    expect(JSON.parse(followed.stdout)).toMatchObject({ status: 'rolled_back', total: 2 });
  });
});
