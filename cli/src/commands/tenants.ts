import type { ControlPlane, Tenant } from '@agent-control-plane/sdk';
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Tenant>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['STATE', ({ is_active }) => (is_active ? 'active' : 'off')],
  ['AGENTS', ({ instances }) => instances],
  ['CUSTOMERS', ({ customers }) => customers],
  ['USERS', ({ users }) => users],
  ['MONTH $', ({ month_cost }) => month_cost],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

const tenantArgument = () => idArgument('<tenant>', 'the tenant’s id');

/** null restores the default. */
type Limits = Readonly<Record<string, number | null>>;

function gatherLimit(text: string, before: Limits | undefined): Limits {
  const [, name = '', value = ''] = /^(\w+)=(default|\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be like instances=20, or instances=default.');
  return { ...before, [name]: value === 'default' ? null : Number(value) };
}

export function addTenants(program: Program, cli: Cli): void {
  const tenants = program
    .command('tenants')
    .description('tenants and their limits (needs the operations token)');
  const { output } = cli;

  tenants
    .command('list')
    .description('list tenants')
    .option('--search <text>', 'part of the name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ search, ...flags }) => {
      const query = search ? { search } : {};
      await showList(cli, await cli.operator(), 'list_tenants', { query }, COLUMNS, flags);
    });

  tenants
    .command('show')
    .description('show a tenant with its limits')
    .addArgument(tenantArgument())
    .action(async (id) => {
      const tenant = await (await cli.operator()).tenants.get(id);
      output.answer(tenant, () => output.details(tenant));
    });

  tenants
    .command('limit')
    .description('change limits of a tenant')
    .addArgument(tenantArgument())
    .addArgument(
      new Argument('<limit...>', 'as name=value; the value "default" resets it').argParser(gatherLimit),
    )
    .action(async (id, limits) => change(cli, id, { limits }));

  tenants
    .command('deactivate')
    .description('refuse a tenant’s credentials, stop its runtimes, and have its messages wait')
    .addArgument(tenantArgument())
    .action(async (id) => change(cli, id, { is_active: false }));

  tenants
    .command('activate')
    .description('end that')
    .addArgument(tenantArgument())
    .action(async (id) => change(cli, id, { is_active: true }));
}

async function change(
  cli: Cli,
  id: string,
  changes: NonNullable<Parameters<ControlPlane['tenants']['update']>[1]>,
): Promise<void> {
  const tenant = await (await cli.operator()).tenants.update(id, changes);
  cli.output.answer(tenant, () => cli.output.details(tenant));
}
