import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Task, UpgradeResult } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { EXIT, negativeResult, usageError } from '../errors.ts';
import { findInstanceId } from '../finding.ts';
import { agrees, isInteractive } from '../input.ts';
import { progressOf } from '../instance-log.ts';
import { instanceArgument, wholeNumber } from '../options.ts';
import { overrideOption, readOverrides } from '../overrides.ts';
import { missingTexts, printViolations } from '../plan-text.ts';
import type { Program } from '../program.ts';

/** Below the rate limit of a key. */
const POLL_MS = 500;
const DONE: readonly Task['status'][] = ['succeeded', 'failed', 'canceled'];

export function addUpgrade(program: Program, cli: Cli): void {
  program
    .command('upgrade')
    .description('give an instance the newest revision of its recipe, in place')
    .addArgument(instanceArgument())
    .option('--revision <number>', 'another revision than the newest', wholeNumber(1, 2_147_483_647))
    .addOption(overrideOption())
    .option('--dry-run', 'only show what would be changed')
    .option('-y, --yes', 'do not ask')
    .action(async (instance, { revision, override, dryRun, yes }) => {
      const overrides = await readOverrides(cli.terminal, override);
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, instance);
      const wanted = { ...(revision !== undefined && { revision }), ...overrides };
      const plan = await acp.instances.upgrade(id, { ...wanted, dry_run: true });
      if (!cli.output.json || dryRun) show(cli, plan);
      if (!plan.ready) {
        throw negativeResult(
          `connections are missing for the upgrade: ${missingTexts(plan)}`,
          '"agentctl connections create" adds one',
        );
      }
      if (dryRun) return;
      const isVisible = plan.changes.length > 0 || plan.revision !== plan.deployed_revision;
      if (isVisible && !yes) await confirm(cli, id, plan);
      await carryOut(cli, acp, id, { ...wanted, plan_hash: plan.plan_hash });
    });
}

function show({ output }: Cli, plan: UpgradeResult): void {
  const { deployed_revision, revision, changes, violations } = plan;
  output.answer(plan, () => {
    output.line(`revision ${deployed_revision} → ${revision}`);
    printViolations(output, violations);
    if (changes.length === 0) return;
    output.table(
      [
        ['FIELD', ({ pointer }) => pointer],
        ['DEPLOYED', ({ deployed }) => JSON.stringify(deployed), 'flexible'],
        ['NEW', ({ current }) => JSON.stringify(current), 'flexible'],
      ],
      changes,
    );
  });
}

async function confirm(cli: Cli, id: string, { revision }: UpgradeResult): Promise<void> {
  if (!isInteractive(cli.terminal)) throw usageError('nobody can be asked here', 'add --yes');
  if (!(await agrees(cli.terminal, `Upgrade ${id} to revision ${revision}?`)))
    throw negativeResult('nothing was changed');
}

async function carryOut(
  cli: Cli,
  acp: ControlPlane,
  id: string,
  request: Parameters<ControlPlane['instances']['upgrade']>[1],
): Promise<void> {
  const { output } = cli;
  const { items } = await acp.instances.listEvents(id, { per_page: 1 });
  const { task_id } = await acp.instances.upgrade(id, request);
  if (task_id === null) {
    output.answer({ task_id }, () => output.line('nothing is to be changed'));
    return;
  }
  const leave = () => {
    output.note(`The upgrade continues; follow it with "agentctl instances events ${id} --follow".`);
    process.exit(EXIT.interrupted);
  };
  process.prependOnceListener('SIGINT', leave);
  const task = await followed(cli, acp, task_id, id, items[0]?.id ?? 0);
  process.off('SIGINT', leave);
  output.answer(task, () => output.line(`upgrade ${id}: ${task.status}`));
  if (task.status !== 'succeeded')
    throw negativeResult(`the upgrade ${task.status}: ${task.error ?? 'no reason given'}`);
}

async function followed(
  cli: Cli,
  acp: ControlPlane,
  task_id: string,
  instance_id: string,
  after: number,
): Promise<Task> {
  const show = progressOf(cli);
  for (let last = after; ; ) {
    // Read the task first: events read later then include its last one.
    const task = await acp.tasks.get(task_id);
    const { items } = await acp.instances.listEvents(instance_id, { per_page: 100 });
    const fresh = items.filter(({ id }) => id > last).toReversed();
    for (const event of fresh) show(event);
    last = fresh.at(-1)?.id ?? last;
    if (DONE.includes(task.status)) return task;
    await sleep(POLL_MS);
  }
}
