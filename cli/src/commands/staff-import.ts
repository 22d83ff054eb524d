import type { ControlPlane, StaffImportResult } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT } from '../errors.ts';
import { findCustomerId } from '../finding.ts';
import type { Noun } from '../program.ts';
import { readStaff, type StaffRow } from '../staff-file.ts';
import { oneLine } from '../text.ts';

const BATCH = 200;

const HELP = `
The first line of a CSV file names its columns: name, email, phone, role, skills, certifications, inductions, tier,
availability_notes, external_id. A cell with several is separated by semicolons, and a certification or an induction may
end: first_aid:2030-01-31; crane. An empty cell changes nothing. Columns may be separated by commas, semicolons or tabs,
and the file is UTF-8, or UTF-16 with a byte order mark. A file with an unknown column is not imported.`;

export function addStaffImport(staff: Noun, cli: Cli): void {
  const { output } = cli;

  staff
    .command('import')
    .description(
      'add many people, or change those with a known external_id; exits with 1 when some are not valid',
    )
    .argument('<customer>', 'id, e-mail address or company name')
    .addOption(
      new Option('-f, --file <path>', 'a list, CSV, YAML or JSON; - is standard input').makeOptionMandatory(),
    )
    .option('--csv', 'it is CSV, without a name that ends in .csv')
    .addHelpText('after', HELP)
    .action(async (customer, { file, csv }) => {
      const rows = await readStaff(cli.terminal, file, csv ?? /\.csv$/i.test(file));
      const acp = await cli.user();
      const result = await sent(cli, acp, await findCustomerId(acp, customer), rows);
      output.answer(result, () => output.line(`${result.created} added, ${result.updated} changed`));
      for (const { index, loc, msg } of result.errors) {
        const { where, value } = rows[index] ?? { where: `item ${index + 1}`, value: {} };
        const name = typeof value?.name === 'string' ? ` (${oneLine(value.name)})` : '';
        const field = loc.slice(3).join('.');
        output.note(`${where}${name}: ${field === '' ? '' : `${field}: `}${msg}`);
      }
      if (result.errors.length > 0) cli.exitCode = EXIT.no;
    });
}

/** @returns the sum, with indexes into all records, of which some are not sent */
async function sent(
  { output }: Cli,
  acp: ControlPlane,
  customer_id: string,
  rows: readonly StaffRow[],
): Promise<StaffImportResult> {
  const sum: StaffImportResult = { created: 0, updated: 0, errors: rows.flatMap(faultsOf) };
  const good = rows.flatMap(({ value, fault }, index) => (fault ? [] : [{ value, index }]));
  for (let from = 0; from < good.length; from += BATCH) {
    const batch = good.slice(from, from + BATCH);
    const staff = batch.map(({ value }) => value);
    const { created, updated, errors } = await acp.staff.importCustomerStaff(customer_id, { staff });
    sum.created += created;
    sum.updated += updated;
    sum.errors.push(
      ...errors.map((fault) => ({ ...fault, index: batch[fault.index]?.index ?? fault.index })),
    );
    if (good.length > BATCH) output.progress(`${from + staff.length} of ${good.length}`);
  }
  return { ...sum, errors: sum.errors.toSorted((a, b) => a.index - b.index) };
}

/** As the API tells them. */
const faultsOf = ({ fault }: StaffRow, index: number): StaffImportResult['errors'] =>
  fault
    ? [{ index, loc: ['body', 'staff', String(index), fault.field], msg: fault.msg, type: 'value_error' }]
    : [];
