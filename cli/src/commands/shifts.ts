import type { Shift } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { showList } from '../lists.ts';
import {
  allOption,
  customerArgument,
  idArgument,
  pageOption,
  perPageOption,
  personArgument,
} from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Shift>[] = [
  ['ID', ({ id }) => id],
  ['PERSON', ({ person_id }) => person_id],
  ['STARTS', ({ starts_at }) => moment(starts_at)],
  ['ENDS', ({ ends_at }) => moment(ends_at)],
  ['SITE', ({ site }) => site, 'flexible'],
  ['TITLE', ({ title }) => title, 'flexible'],
  ['STATUS', ({ status }) => status],
];

export function addShifts(program: Program, cli: Cli): void {
  const shifts = program.command('shifts').description('when a customer’s staff works');
  const { output } = cli;

  shifts
    .command('list')
    .description('list shifts, newest first')
    .addArgument(customerArgument())
    .option('--person <person>', 'id, name or external id')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { person, ...flags }) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = person && (await findPersonId(() => cli.user(), customer_id, person));
      await showList(
        cli,
        acp,
        'list_shifts',
        { path: { customer_id }, query: { person_id } },
        COLUMNS,
        flags,
      );
    });

  shifts
    .command('add')
    .description('give a person a shift')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .requiredOption('--from <time>', 'e.g. 2030-01-07T22:00:00Z')
    .requiredOption('--to <time>', 'e.g. 2030-01-08T06:00:00Z')
    .option('--site <site>')
    .option('--title <title>')
    .option('--job-id <id>', 'an id of your own')
    .action(async (customer, person, { from, to, site, title, jobId }) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = await findPersonId(() => cli.user(), customer_id, person);
      const when = { person_id, starts_at: from, ends_at: to };
      const shift = await acp.work.createShift(customer_id, { ...when, site, title, job_id: jobId });
      output.answer(shift, () => output.line(`shift ${shift.id} begins ${moment(shift.starts_at)}`));
    });

  shifts
    .command('remove')
    .description('take a shift away')
    .addArgument(customerArgument())
    .addArgument(idArgument('<shift-id>', 'the id'))
    .action(async (customer, id) => {
      const acp = await cli.tenant();
      await acp.work.deleteShift(await findCustomerId(acp, customer), id);
      output.note(`removed shift ${id}`);
    });
}
