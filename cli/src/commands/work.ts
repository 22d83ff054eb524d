import type { Assignment, ControlPlane, Query, Shift, ShiftCreate } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { type PageFlags, showList } from '../lists.ts';
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

type Row = Shift | Assignment;

/** ISO 8601 times with a zone. */
interface Work {
  person_id: string;
  starts_at?: string | undefined;
  ends_at?: string | undefined;
  site?: string | undefined;
  title?: string | undefined;
  job_id?: string | undefined;
}

interface Wanted {
  path: { customer_id: string };
  query: Query<'list_shifts' | 'list_assignments'>;
}

/** Shifts and assignments differ in their operations, and only a shift must have times. */
interface Kind {
  readonly noun: string;
  readonly word: string;
  readonly description: string;
  readonly needsTimes: boolean;
  readonly list: (cli: Cli, acp: ControlPlane, wanted: Wanted, flags: PageFlags) => Promise<void>;
  readonly create: (acp: ControlPlane, customer_id: string, work: Work) => Promise<Row>;
  readonly remove: (acp: ControlPlane, customer_id: string, id: string) => Promise<unknown>;
}

const COLUMNS: readonly Column<Row>[] = [
  ['ID', ({ id }) => id],
  ['PERSON', ({ person_name, person_id }) => person_name ?? person_id, 'flexible'],
  ['STARTS', ({ starts_at }) => moment(starts_at)],
  ['ENDS', ({ ends_at }) => moment(ends_at)],
  ['SITE', ({ site }) => site, 'flexible'],
  ['TITLE', ({ title }) => title, 'flexible'],
  ['STATUS', ({ status }) => status],
];

export function addShifts(program: Program, cli: Cli): void {
  addWork(program, cli, {
    noun: 'shifts',
    word: 'shift',
    description: 'when a customer’s staff works',
    needsTimes: true,
    list: (cli, acp, wanted, flags) => showList(cli, acp, 'list_shifts', wanted, COLUMNS, flags),
    // Its times are mandatory options.
    create: (acp, customer_id, work) => acp.work.createShift(customer_id, work as ShiftCreate),
    remove: (acp, customer_id, id) => acp.work.deleteShift(customer_id, id),
  });
}

export function addAssignments(program: Program, cli: Cli): void {
  addWork(program, cli, {
    noun: 'assignments',
    word: 'assignment',
    description: 'jobs that a customer’s staff is given, with or without times',
    needsTimes: false,
    list: (cli, acp, wanted, flags) => showList(cli, acp, 'list_assignments', wanted, COLUMNS, flags),
    create: (acp, customer_id, work) => acp.work.createAssignment(customer_id, work),
    remove: (acp, customer_id, id) => acp.work.deleteAssignment(customer_id, id),
  });
}

function addWork(program: Program, cli: Cli, kind: Kind): void {
  const { noun, word } = kind;
  const timeOption = <const Flags extends string>(flags: Flags, example: string) =>
    new Option(flags, example).makeOptionMandatory(kind.needsTimes);
  const rows = program.command(noun).description(kind.description);
  const { output } = cli;

  rows
    .command('list')
    .description(`list ${noun}, newest first`)
    .addArgument(customerArgument())
    .option('--person <person>', 'id, name or external id')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { person, ...flags }) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = person && (await findPersonId(() => cli.user(), customer_id, person));
      const wanted = { path: { customer_id }, query: { person_id } };
      await kind.list(cli, acp, wanted, flags);
    });

  rows
    .command('create')
    .description(`add a person’s ${word}`)
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .addOption(timeOption('--from <time>', 'e.g. 2030-01-07T22:00:00Z'))
    .addOption(timeOption('--to <time>', 'e.g. 2030-01-08T06:00:00Z'))
    .option('--site <site>')
    .option('--title <title>')
    .option('--job-id <id>', 'an id of your own')
    .action(async (customer, person, { from, to, site, title, jobId }) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = await findPersonId(() => cli.user(), customer_id, person);
      const work = { person_id, starts_at: from, ends_at: to, site, title, job_id: jobId };
      const row = await kind.create(acp, customer_id, work);
      const begins = row.starts_at === null ? '' : ` begins ${moment(row.starts_at)}`;
      output.answer(row, () => output.line(`${word} ${row.id}${begins}`));
    });

  rows
    .command('delete')
    .description(`remove a person’s ${word}`)
    .addArgument(customerArgument())
    .addArgument(idArgument(`<${word}-id>`, 'the id'))
    .action(async (customer, id) => {
      const acp = await cli.tenant();
      await kind.remove(acp, await findCustomerId(acp, customer), id);
      output.note(`removed ${word} ${id}`);
    });
}
