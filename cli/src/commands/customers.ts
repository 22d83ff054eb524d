import type { Customer } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { usageError } from '../errors.ts';
import { findCustomerId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Customer>[] = [
  ['ID', ({ id }) => id],
  ['E-MAIL', ({ email }) => email, 'flexible'],
  ['COMPANY', ({ company_name }) => company_name, 'flexible'],
  [
    'INSTANCES',
    ({ instance_count, running_instance_count }) => `${running_instance_count} of ${instance_count} run`,
  ],
  ['SUBSCRIPTION', ({ latest_subscription_status }) => latest_subscription_status],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

function addChanges(customers: Noun, cli: Cli): void {
  const { output } = cli;

  customers
    .command('update')
    .description('change a customer; an empty value clears')
    .argument('<customer>', 'id, e-mail address or company name')
    .option('--email <address>')
    .option('--company <name>')
    .option('--country <code>', 'ISO 3166-1 alpha-2, e.g. AU')
    .option('--currency <code>', 'ISO 4217, e.g. AUD')
    .option('--timezone <name>', 'IANA, e.g. Australia/Sydney')
    .option('--locale <tag>', 'BCP 47, e.g. en-AU')
    .action(async (wanted, { email, company, country, currency, timezone, locale }) => {
      const changes = {
        ...(email !== undefined && { email }),
        ...(company !== undefined && { company_name: company || null }),
        ...(country !== undefined && { country_code: country || null }),
        ...(currency !== undefined && { currency: currency || null }),
        ...(timezone !== undefined && { timezone: timezone || null }),
        ...(locale !== undefined && { locale: locale || null }),
      };
      if (Object.keys(changes).length === 0) throw usageError('nothing to change: --help shows the options');
      const acp = await cli.tenant();
      const customer = await acp.customers.update(await findCustomerId(acp, wanted), changes);
      output.answer(customer, () => output.line(`changed customer ${customer.id}`));
    });

  customers
    .command('delete')
    .description('erase a customer and everything stored of it and its people, for good')
    .addArgument(idArgument('<customer-id>', 'the id'))
    .action(async (id) => {
      await (await cli.tenant()).customers.delete(id);
      output.note(`erased customer ${id}`);
    });
}

export function addCustomers(program: Program, cli: Cli): void {
  const customers = program.command('customers').description('the customers that agents work for');
  const { output } = cli;

  customers
    .command('list')
    .description('list customers')
    .option('--search <text>', 'part of the e-mail address')
    .option('--q <text>', 'part of the e-mail address or company name')
    .addOption(
      new Option('--sort-by <field>').choices(['created_at', 'email', 'company_name', 'updated_at'] as const),
    )
    .addOption(new Option('--sort-dir <direction>').choices(['asc', 'desc'] as const))
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ search, q, sortBy: sort_by, sortDir: sort_dir, ...flags }) => {
      const query = {
        ...(search && { search }),
        ...(q && { q }),
        ...(sort_by && { sort_by }),
        ...(sort_dir && { sort_dir }),
      };
      await showList(cli, await cli.tenant(), 'list_customers', { query }, COLUMNS, flags);
    });

  customers
    .command('show')
    .description('show a customer with its instances and subscriptions')
    .argument('<customer>', 'id, e-mail address or company name')
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const customer = await acp.customers.get(await findCustomerId(acp, wanted));
      output.answer(customer, () => output.details(customer));
    });

  customers
    .command('create')
    .description('add a customer')
    .requiredOption('--email <address>')
    .option('--company <name>')
    .option('--country <code>', 'ISO 3166-1 alpha-2, e.g. AU')
    .option('--currency <code>', 'ISO 4217, e.g. AUD')
    .option('--timezone <name>', 'IANA, e.g. Australia/Sydney')
    .option('--locale <tag>', 'BCP 47, e.g. en-AU')
    .action(async ({ email, company, country, currency, timezone, locale }) => {
      const customer = await (await cli.tenant()).customers.create({
        email,
        ...(company !== undefined && { company_name: company }),
        ...(country !== undefined && { country_code: country }),
        ...(currency !== undefined && { currency }),
        ...(timezone !== undefined && { timezone }),
        ...(locale !== undefined && { locale }),
      });
      output.answer(customer, () => output.line(`${customer.email} is customer ${customer.id}`));
    });

  addChanges(customers, cli);
}
