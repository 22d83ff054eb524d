import type { Timesheet } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, customerArgument, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

const STATUSES = ['submitted', 'approved', 'rejected'] as const;

const COLUMNS: readonly Column<Timesheet>[] = [
  ['ID', ({ id }) => id],
  ['PERSON', ({ person_id }) => person_id],
  ['DATE', ({ date }) => date],
  ['HOURS', ({ hours }) => hours],
  ['STATUS', ({ status }) => status],
  ['WARNINGS', ({ warnings }) => warnings.join(', ')],
  ['DESCRIPTION', ({ description }) => description, 'flexible'],
];

export function addTimesheets(program: Program, cli: Cli): void {
  const timesheets = program.command('timesheets').description('hours that a customer’s staff has submitted');

  timesheets
    .command('list')
    .description('list hours, newest first')
    .addArgument(customerArgument())
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--person <person>', 'id, name or external id')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { status, person, ...flags }) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = person && (await findPersonId(() => cli.user(), customer_id, person));
      const request = { path: { customer_id }, query: { status, person_id } };
      await showList(cli, acp, 'list_timesheets', request, COLUMNS, flags);
    });

  for (const [verb, status] of [['approve', 'approved'] as const, ['reject', 'rejected'] as const]) {
    timesheets
      .command(verb)
      .description(`${verb} submitted hours`)
      .addArgument(customerArgument())
      .addArgument(idArgument('<timesheet-id>', 'the id'))
      .action(async (customer, id) => {
        const acp = await cli.tenant();
        const decided = await acp.work.updateTimesheet(await findCustomerId(acp, customer), id, { status });
        cli.output.answer(decided, () =>
          cli.output.line(`${decided.date}, ${decided.hours} h: ${decided.status}`),
        );
      });
  }
}
