import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Task } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { saysNo } from '../errors.ts';
import { idArgument } from '../options.ts';
import type { Noun } from '../program.ts';

/** How often a task that is waited for is looked at. */
const LOOK_MS = 300;
const DONE: readonly Task['status'][] = ['succeeded', 'failed', 'canceled'];

export function addLifecycle(instances: Noun, cli: Cli): void {
  const verbs = {
    stop: ['stop a running instance', 'stop'],
    start: ['start a stopped instance', 'start'],
    retry: ['provision a failed instance again', 'retry'],
    terminate: ['end an instance for good', 'delete'],
  } as const;
  for (const [verb, [description, method]] of Object.entries(verbs)) {
    instances
      .command(verb)
      .description(description)
      .addArgument(idArgument('<instance-id>', 'its id'))
      .option('--wait', 'until it is done; ends with 1 when it fails')
      .action(async (id, { wait }) => {
        const { output } = cli;
        const acp = await cli.tenant();
        const asked = await acp.instances[method](id);
        const task = wait ? await ended(acp, asked) : asked;
        output.answer(task, () => output.line(`${verb} ${id}: task ${task.task_id} ${task.status}`));
        if (wait && task.status !== 'succeeded')
          throw saysNo(`the task ${task.status}: ${task.error ?? 'no reason given'}`);
      });
  }
}

async function ended(acp: ControlPlane, task: Task): Promise<Task> {
  let seen = task;
  while (!DONE.includes(seen.status)) {
    await sleep(LOOK_MS);
    seen = await acp.tasks.get(task.task_id);
  }
  return seen;
}
