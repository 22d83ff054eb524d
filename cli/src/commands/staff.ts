import type { StaffRecord } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, customerArgument, pageOption, perPageOption, personArgument } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { addStaffChanges, STATUSES } from './staff-changes.ts';
import { addStaffImport } from './staff-import.ts';

const labelOf = (element: unknown): unknown => {
  if (typeof element !== 'object' || element === null) return element;
  const { type, site, name } = element as Record<string, unknown>;
  return type ?? site ?? name;
};

const COLUMNS: readonly Column<StaffRecord>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['STATUS', ({ status }) => status],
  ['ROLE', ({ role }) => role],
  ['TIER', ({ tier }) => tier],
  ['SKILLS', ({ skills }) => skills.join(', '), 'flexible'],
  ['CERTIFICATIONS', ({ certifications }) => certifications.map(labelOf).join(', '), 'flexible'],
  ['EXTERNAL ID', ({ external_id }) => external_id, 'flexible'],
];

export function addStaff(program: Program, cli: Cli): void {
  const staff = program
    .command('staff')
    .description('the people of a customer; lists, imports and names take the login of an admin');
  const { output } = cli;

  staff
    .command('list')
    .description('list or search a customer’s staff, by name')
    .addArgument(customerArgument())
    .option('--skills <skills>', 'separated by commas: only who has all of them')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { skills, status, ...flags }) => {
      const acp = await cli.user();
      const path = { customer_id: await findCustomerId(acp, customer) };
      await showList(cli, acp, 'list_customer_staff', { path, query: { skills, status } }, COLUMNS, flags);
    });

  staff
    .command('show')
    .description('show a person')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .action(async (customer, wanted) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const id = await findPersonId(() => cli.user(), customer_id, wanted);
      const person = await acp.staff.getCustomerStaff(customer_id, id);
      output.answer(person, () => output.details(person));
    });

  addStaffImport(staff, cli);
  addStaffChanges(staff, cli);
}
