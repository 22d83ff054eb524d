import type { ControlPlane, Timesheet } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT, usageError } from '../errors.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { showList } from '../lists.ts';
import {
  allOption,
  customerArgument,
  idArgument,
  optionalCustomerArgument,
  pageOption,
  perPageOption,
} from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

const STATUSES = ['submitted', 'approved', 'rejected'] as const;

/** At once (contract, section 18). */
const BATCH = 200;

const COLUMNS: readonly Column<Timesheet>[] = [
  ['ID', ({ id }) => id],
  ['PERSON', ({ person_name, person_id }) => person_name ?? person_id, 'flexible'],
  ['DATE', ({ date }) => date],
  ['HOURS', ({ hours }) => hours],
  ['STATUS', ({ status }) => status],
  ['WARNINGS', ({ warnings }) => warnings.join(', ')],
  ['DESCRIPTION', ({ description }) => description, 'flexible'],
];

const OF_ALL_COLUMNS: readonly Column<Timesheet>[] = [
  ...COLUMNS,
  ['CUSTOMER', ({ customer_name, customer_id }) => customer_name ?? customer_id, 'flexible'],
];

export function addTimesheets(program: Program, cli: Cli): void {
  const timesheets = program.command('timesheets').description('hours that customers’ staff has submitted');

  timesheets
    .command('list')
    .description('list hours, newest first; without a customer those of all')
    .addArgument(optionalCustomerArgument())
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--person <person>', 'id, name or external id')
    .option('--from <day>', 'the first day of work, e.g. 2030-01-07')
    .option('--to <day>', 'the last day of work')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { status, person, from, to, ...flags }) => {
      if (customer === undefined && person !== undefined) throw usageError('--person needs a customer');
      const acp = await cli.tenant();
      const days = { status, from, to };
      if (customer === undefined) {
        await showList(cli, acp, 'list_tenant_timesheets', { query: days }, OF_ALL_COLUMNS, flags);
        return;
      }
      const customer_id = await findCustomerId(acp, customer);
      const person_id = person && (await findPersonId(() => cli.user(), customer_id, person));
      const request = { path: { customer_id }, query: { ...days, person_id } };
      await showList(cli, acp, 'list_timesheets', request, COLUMNS, flags);
    });

  for (const [verb, status] of [['approve', 'approved'] as const, ['reject', 'rejected'] as const]) {
    timesheets
      .command(verb)
      .description(`${verb} submitted hours; several are decided each on its own`)
      .addArgument(customerArgument())
      .addArgument(idArgument('<timesheet-id>', 'the id'))
      .argument('[others...]', 'further ids, of any customer')
      .action(async (customer, id, others) => {
        const acp = await cli.tenant();
        const customer_id = await findCustomerId(acp, customer);
        if (others.length > 0) return decide(cli, acp, [id, ...others], status);
        const decided = await acp.work.updateTimesheet(customer_id, id, { status });
        cli.output.answer(decided, () =>
          cli.output.line(`${decided.date}, ${decided.hours} h: ${decided.status}`),
        );
      });
  }
}

async function decide(
  cli: Cli,
  acp: ControlPlane,
  ids: readonly string[],
  status: 'approved' | 'rejected',
): Promise<void> {
  const sum: Awaited<ReturnType<typeof acp.work.decideTimesheets>> = { updated: 0, errors: [] };
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const { updated, errors } = await acp.work.decideTimesheets({ ids: batch, status });
    sum.updated += updated;
    sum.errors.push(...errors.map((fault) => ({ ...fault, index: fault.index + from })));
  }
  cli.output.answer(sum, () => cli.output.line(`${sum.updated} ${status}`));
  for (const { index, msg } of sum.errors) cli.output.note(`${ids[index]}: ${msg}`);
  if (sum.errors.length > 0) cli.exitCode = EXIT.no;
}
