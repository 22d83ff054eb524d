import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Instance, InstanceEvent, Task } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT, negativeResult } from '../errors.ts';
import { findCustomerId, findInstanceId, findRecipe } from '../finding.ts';
import { eventText } from '../instance-log.ts';
import { showList } from '../lists.ts';
import { allOption, instanceArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment, printable } from '../text.ts';

const POLL_MS = 300;
const DONE: readonly Task['status'][] = ['succeeded', 'failed', 'canceled'];

const STATUSES = [
  'pending',
  'provisioning',
  'running',
  'stopped',
  'failed',
  'terminating',
  'terminated',
] as const;

function recipeOf(instance: Instance): string {
  const { recipe_name, template_name, recipe_revision: own, latest_revision: latest } = instance;
  const isOutdated = latest !== null && latest > own;
  return `${recipe_name ?? template_name} r${own}${isOutdated ? ` of ${latest}` : ''}`;
}

/** A running instance whose runtime has ended answers nobody. */
function stateOf({ status, runtime, task }: Instance): string {
  if (task && status !== 'running') return `${status} (${task.kind}: ${task.progress} %)`;
  if (status !== 'running' || runtime.state === 'up') return status;
  const reason = runtime.reason === null ? '' : `: ${runtime.reason.replaceAll('_', ' ')}`;
  return `${status} (${runtime.state === 'unready' ? 'unready' : 'no runtime'}${reason})`;
}

const COLUMNS: readonly Column<Instance>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', stateOf],
  ['HOSTNAME', ({ hostname }) => hostname, 'flexible'],
  ['CUSTOMER', ({ customer_name, customer_id }) => customer_name ?? customer_id, 'flexible'],
  ['RECIPE', recipeOf, 'flexible'],
  ['REGION', ({ region_id }) => region_id, 'flexible'],
  ['HOSTING', ({ hosting_mode }) => hosting_mode],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

export function addInstances(program: Program, cli: Cli): void {
  const instances = program.command('instances').description('deployed agents');
  addReading(instances, cli);
  addEvents(instances, cli);
  addLifecycle(instances, cli);
  addCredentials(instances, cli);
  addDrift(instances, cli);
}

function addReading(instances: Noun, cli: Cli): void {
  const { output } = cli;

  instances
    .command('list')
    .description('list instances, newest first')
    .option('--search <text>', 'part of the hostname')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--live', 'only those that are not terminated')
    .option('--customer <customer>', 'id, e-mail address or company name')
    .option('--recipe <recipe>', 'id or name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ search, status, live, customer, recipe, ...flags }) => {
      const acp = await cli.tenant();
      const query = {
        ...(search && { search }),
        ...(status && { status }),
        ...(live && { live }),
        ...(customer !== undefined && { customer_id: await findCustomerId(acp, customer) }),
        ...(recipe !== undefined && { recipe_id: (await findRecipe(acp, recipe)).id }),
      };
      await showList(cli, acp, 'list_instances', { query }, COLUMNS, flags);
    });

  instances
    .command('show')
    .description('show an instance with its deployed configuration')
    .addArgument(instanceArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const instance = await acp.instances.get(await findInstanceId(acp, wanted));
      output.answer(instance, () => output.details(instance));
    });
}

function addCredentials(instances: Noun, cli: Cli): void {
  const { output } = cli;

  instances
    .command('enrollment-token')
    .description('create an enrollment token for an instance that has lost its certificate')
    .addArgument(instanceArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const token = await acp.instanceIdentity.createEnrollmentToken(await findInstanceId(acp, wanted));
      output.note('The token is shown once.');
      output.answer(token, () => output.details(token));
    });

  instances
    .command('end-proxy-keys')
    .description('end every proxy key of an instance at once; its runtime is started again with a new one')
    .addArgument(instanceArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, wanted);
      await acp.instances.deleteProxyKey(id);
      output.note(`ended the proxy keys of ${id}`);
    });
}

function addDrift(instances: Noun, cli: Cli): void {
  const { output } = cli;

  instances
    .command('drift')
    .description('show how an instance differs from its current recipe; exits with 1 when it does')
    .addArgument(instanceArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, wanted);
      const drift = await acp.instances.getDrift(id);
      output.answer(drift, () => {
        const { changes, deployed_revision, current_revision } = drift;
        output.note(
          `deployed from revision ${deployed_revision}; the recipe ${current_revision === null ? 'was deleted' : `is at revision ${current_revision}`}`,
        );
        output.table(
          [
            ['FIELD', ({ pointer }) => pointer],
            ['DEPLOYED', ({ deployed }) => JSON.stringify(deployed), 'flexible'],
            ['CURRENT', ({ current }) => JSON.stringify(current), 'flexible'],
          ],
          changes,
        );
        if (drift.drifted && current_revision !== null)
          output.note(`"agentctl upgrade ${id}" brings it there`);
      });
      if (drift.drifted) cli.exitCode = EXIT.no;
    });
}

function addEvents(instances: Noun, cli: Cli): void {
  const { output } = cli;

  const show = (event: InstanceEvent) =>
    output.each(event, () =>
      output.line(`${output.style('dim', moment(event.at))}  ${printable(eventText(event))}`),
    );

  instances
    .command('events')
    .description('print the log of an instance, oldest first; with --json one event per line')
    .addArgument(instanceArgument())
    .option('-f, --follow', 'keep printing new events until the instance is terminated')
    .option('--tail <number>', 'print only the last lines', wholeNumber(1, 100_000))
    .action(async (wanted, { follow, tail = Infinity }) => {
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, wanted);
      const written: InstanceEvent[] = [];
      for await (const event of acp.instances.listAllEvents(id)) {
        // New events shift older ones to the next page.
        if (event.id >= (written.at(-1)?.id ?? Infinity)) continue;
        written.push(event);
        if (written.length >= tail) break;
      }
      for (const event of written.toReversed()) show(event);
      const [last] = written;
      if (!follow || last?.to === 'terminated') return;
      for await (const event of acp.instances.events(id, { after: last?.id ?? 0 })) show(event);
    });
}

function addLifecycle(instances: Noun, cli: Cli): void {
  const verbs = {
    stop: ['stop a running instance', 'stop'],
    start: ['start a stopped instance', 'start'],
    restart: ['start the runtime of a running instance anew', 'restart'],
    retry: ['provision a failed instance again', 'retry'],
    terminate: ['terminate an instance for good', 'delete'],
  } as const;
  for (const [verb, [description, method]] of Object.entries(verbs)) {
    instances
      .command(verb)
      .description(description)
      .addArgument(instanceArgument())
      .option('--wait', 'wait until it is done; exits with 1 when it fails')
      .action(async (wanted, { wait }) => {
        const { output } = cli;
        const acp = await cli.tenant();
        const id = await findInstanceId(acp, wanted);
        const asked = await acp.instances[method](id);
        const task = wait ? await ended(acp, asked) : asked;
        output.answer(task, () => output.line(`${verb} ${id}: task ${task.task_id} ${task.status}`));
        if (wait && task.status !== 'succeeded')
          throw negativeResult(`the task ${task.status}: ${task.error ?? 'no reason given'}`);
      });
  }
}

async function ended(acp: ControlPlane, task: Task): Promise<Task> {
  let seen = task;
  while (!DONE.includes(seen.status)) {
    await sleep(POLL_MS);
    seen = await acp.tasks.get(task.task_id);
  }
  return seen;
}
