import { type Command, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { changesOf, listOrClear, orClear } from '../fields.ts';
import { findCustomerId, findPersonId } from '../finding.ts';
import { customerArgument, gather, personArgument, wholeNumber } from '../options.ts';
import type { Noun } from '../program.ts';

export const STATUSES = ['active', 'inactive', 'on_leave', 'suspended', 'terminated'] as const;
const ROLES = ['employee', 'contractor', 'supplier', 'customer_contact'] as const;

const withFields = <Args extends unknown[], Flags extends Record<string, unknown>>(
  command: Command<Args, Flags>,
) =>
  command
    .option('--email <address>')
    .option('--phone <number>')
    .addOption(new Option('--role <role>').choices(ROLES))
    .option('--skill <skill>', 'e.g. forklift; may be repeated', gather)
    .option('--certification <type[:date]>', 'e.g. first_aid:2030-01-31; may be repeated', gather)
    .option('--induction <site[:date]>', 'e.g. "Pier 4:2030-01-31"; may be repeated', gather)
    .option('--tier <number>', 'a grade of your own, 1 to 5', wholeNumber(1, 5))
    .option('--notes <text>', 'when the person can work, in words')
    .option('--external-id <id>', 'what your own system calls the person');

interface FieldFlags {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly role?: (typeof ROLES)[number] | undefined;
  readonly skill?: readonly string[] | undefined;
  readonly certification?: readonly string[] | undefined;
  readonly induction?: readonly string[] | undefined;
  readonly tier?: number | undefined;
  readonly notes?: string | undefined;
  readonly externalId?: string | undefined;
}

const fieldsOf = (flags: FieldFlags) => ({
  email: orClear(flags.email),
  phone: orClear(flags.phone),
  role: flags.role,
  skills: listOrClear(flags.skill),
  certifications: listOrClear(flags.certification),
  inductions: listOrClear(flags.induction),
  tier: flags.tier,
  availability_notes: orClear(flags.notes),
  external_id: orClear(flags.externalId),
});

export function addStaffChanges(staff: Noun, cli: Cli): void {
  const { output } = cli;

  withFields(
    staff
      .command('create')
      .description('add a person')
      .addArgument(customerArgument())
      .requiredOption('--name <name>'),
  ).action(async (customer, { name, ...flags }) => {
    const acp = await cli.tenant();
    const customer_id = await findCustomerId(acp, customer);
    const person = await acp.staff.createCustomerStaff(customer_id, { name, ...fieldsOf(flags) });
    output.answer(person, () => output.line(`${person.name} is person ${person.id}`));
  });

  withFields(
    staff
      .command('update')
      .description('change a person; an empty value clears, and a list replaces the list')
      .addArgument(customerArgument())
      .addArgument(personArgument())
      .option('--name <name>')
      .addOption(
        new Option('--status <status>', 'e.g. terminated: keeps the record and opens nothing').choices(
          STATUSES,
        ),
      ),
  ).action(async (customer, wanted, { name, status, ...flags }) => {
    const changes = changesOf({ name, status, ...fieldsOf(flags) });
    const acp = await cli.tenant();
    const customer_id = await findCustomerId(acp, customer);
    const id = await findPersonId(() => cli.user(), customer_id, wanted);
    const person = await acp.staff.updateCustomerStaff(customer_id, id, changes);
    output.answer(person, () => output.line(`changed ${person.name}`));
  });

  staff
    .command('delete')
    .description('erase a person with bindings, shifts and assignments, for good')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .action(async (customer, wanted) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const id = await findPersonId(() => cli.user(), customer_id, wanted);
      await acp.staff.deleteCustomerStaff(customer_id, id);
      output.note(`erased person ${id}`);
    });
}
