import type { Instance } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT } from '../errors.ts';
import { findCustomerId, findRecipe } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';
import { addInstanceEvents } from './instance-events.ts';
import { addLifecycle } from './instance-lifecycle.ts';

const STATUSES = [
  'pending',
  'provisioning',
  'running',
  'stopped',
  'failed',
  'terminating',
  'terminated',
] as const;

const COLUMNS: readonly Column<Instance>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['HOSTNAME', ({ hostname }) => hostname, 'flexible'],
  ['RECIPE', ({ template_name, recipe_revision }) => `${template_name} r${recipe_revision}`, 'flexible'],
  ['REGION', ({ region_id }) => region_id, 'flexible'],
  ['HOSTING', ({ hosting_mode }) => hosting_mode],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

export function addInstances(program: Program, cli: Cli): void {
  const instances = program.command('instances').description('the agents that run');
  const { output } = cli;

  instances
    .command('list')
    .description('list instances, newest first')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--customer <customer>', 'id or e-mail address')
    .option('--recipe <recipe>', 'id or name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ status, customer, recipe, ...flags }) => {
      const acp = await cli.tenant();
      const query = {
        ...(status && { status }),
        ...(customer !== undefined && { customer_id: await findCustomerId(acp, customer) }),
        ...(recipe !== undefined && { recipe_id: (await findRecipe(acp, recipe)).id }),
      };
      await showList(cli, acp, 'list_instances', { query }, COLUMNS, flags);
    });

  instances
    .command('get')
    .description('show an instance with the configuration that it was deployed with')
    .addArgument(idArgument('<instance-id>', 'its id'))
    .action(async (id) => {
      const instance = await (await cli.tenant()).instances.get(id);
      output.answer(instance, () => output.details(instance));
    });

  addInstanceEvents(instances, cli);
  addLifecycle(instances, cli);

  instances
    .command('enrollment-token')
    .description('mint a token for an instance that lost everything to enroll with')
    .addArgument(idArgument('<instance-id>', 'its id'))
    .action(async (id) => {
      const token = await (await cli.tenant()).instanceIdentity.createEnrollmentToken(id);
      output.note('The token is shown once.');
      output.answer(token, () => output.details(token));
    });

  instances
    .command('drift')
    .description('how an instance differs from its recipe of today; ends with 1 when it does')
    .addArgument(idArgument('<instance-id>', 'its id'))
    .action(async (id) => {
      const drift = await (await cli.tenant()).instances.getDrift(id);
      output.answer(drift, () => {
        const { changes, deployed_revision, current_revision } = drift;
        output.note(
          `deployed from revision ${deployed_revision}, the recipe is at ${current_revision ?? 'none: it was deleted'}`,
        );
        output.table(
          [
            ['FIELD', ({ pointer }) => pointer],
            ['DEPLOYED', ({ deployed }) => JSON.stringify(deployed), 'flexible'],
            ['TODAY', ({ current }) => JSON.stringify(current), 'flexible'],
          ],
          changes,
        );
      });
      if (drift.drifted) process.exitCode = EXIT.no;
    });
}
