import type { CustomerStaffRecord, CustomerStaffWithExpiringCerts } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { showList } from '../lists.ts';
import {
  allOption,
  customerArgument,
  optionalCustomerArgument,
  pageOption,
  perPageOption,
  personArgument,
  wholeNumber,
} from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { addStaffChanges, STATUSES } from './staff-changes.ts';
import { addStaffImport } from './staff-import.ts';

const labelOf = (element: unknown): unknown => {
  if (typeof element !== 'object' || element === null) return element;
  const { type, site, name } = element as Record<string, unknown>;
  return type ?? site ?? name;
};

const SORTS = ['name', 'tier', 'created_at'] as const;

const COLUMNS: readonly Column<CustomerStaffRecord>[] = [
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
    .description('list or search a customer’s staff')
    .addArgument(customerArgument())
    .option('--search <text>', 'a part of the name, the e-mail address or the external id')
    .option('--skills <skills>', 'separated by commas: only who has all of them')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .addOption(new Option('--sort <field>', 'the order; created_at: the newest first').choices(SORTS))
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { search, skills, status, sort, ...flags }) => {
      const acp = await cli.user();
      const path = { customer_id: await findCustomerId(acp, customer) };
      await showList(
        cli,
        acp,
        'list_customer_staff',
        { path, query: { search, skills, status, sort_by: sort } },
        COLUMNS,
        flags,
      );
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

  addExpiring(staff, cli);
  addStaffImport(staff, cli);
  addStaffChanges(staff, cli);
}

const EXPIRING_COLUMNS: readonly Column<CustomerStaffWithExpiringCerts>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  [
    'CERTIFICATIONS',
    ({ expiring_certifications }) =>
      expiring_certifications.map((one) => `${String(labelOf(one))} (${one.days_left} days)`).join(', '),
    'flexible',
  ],
  ['CUSTOMER', ({ customer_name, customer_id }) => customer_name ?? customer_id, 'flexible'],
];

function addExpiring(staff: Noun, cli: Cli): void {
  const { output } = cli;

  staff
    .command('expiring')
    .description('list people whose certifications end soon, soonest first; without a customer those of all')
    .addArgument(optionalCustomerArgument())
    .option('--within <days>', 'how soon, 42 by default', wholeNumber(1, 365))
    .action(async (customer, { within }) => {
      const acp = await cli.tenant();
      const query = within === undefined ? {} : { within_days: within };
      const people =
        customer === undefined
          ? await acp.staff.listTenantExpiringCerts(query)
          : await acp.staff.listCustomerExpiringCerts(await findCustomerId(acp, customer), query);
      output.answer(people, () => output.table(EXPIRING_COLUMNS, people));
    });
}
